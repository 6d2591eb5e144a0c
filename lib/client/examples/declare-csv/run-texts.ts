import type { Text, Texts } from '../../../domain/language.ts';

/** What is said of a run: what is asked for, how far it is, and what became of the lines. */
export const runTexts = {
  error: (message: Text) => ({ en: `error: ${message.en}`, es: `error: ${message.es}` }),
  apiKeyPrompt: { en: 'API key: ', es: 'Clave de API: ' },
  passwordPrompt: { en: 'Password: ', es: 'Contraseña: ' },
  noTerminal: (variable: string) => ({
    en: `${variable} is not set, and there is no terminal to ask on.`,
    es: `${variable} no está definida, y no hay una terminal donde pedirla.`,
  }),
  isEmpty: (variable: string) => ({ en: `${variable} is empty.`, es: `${variable} está vacía.` }),
  noHeader: (name: string) => ({
    en: `${name} has characters that cannot be sent in a header.`,
    es: `${name} tiene caracteres que no se pueden enviar en un encabezado HTTP.`,
  }),
  cannotWrite: (report: string, reason: Text) => ({
    en: `The report ${report} cannot be written: ${reason.en}`,
    es: `No se puede escribir el informe ${report}: ${reason.es}`,
  }),
  isInput: { en: 'it is the file of invoices', es: 'es el archivo de facturas' },
  duration: (invoices: number, minutes: number) => ({
    en: `${invoices} invoices take about ${minutes} min: requests a minute are limited.`,
    es: `${invoices} facturas llevan unos ${minutes} min: hay un límite de solicitudes por minuto.`,
  }),

  steps: {
    checking: { en: 'Checking', es: 'Verificando' },
    declaring: { en: 'Declaring', es: 'Declarando' },
  },
  of: { en: 'of', es: 'de' },
  waiting: (seconds: number) => ({
    en: ` (waiting ${seconds} s, as the service asks)`,
    es: ` (espera de ${seconds} s, a pedido del servicio)`,
  }),

  stopped: (reason: Text) => ({ en: `Stopped: ${reason.en}`, es: `Se detuvo: ${reason.es}` }),
  interrupted: { en: 'interrupted.', es: 'interrupción.' },
  request: (id: string) => ({ en: ` (request ${id})`, es: ` (solicitud ${id})` }),
  noAnswer: (systemCode: string) => ({ en: `No answer${systemCode}.`, es: `El servicio no respondió${systemCode}.` }),
  noAnswerInTime: (ms: string) => ({ en: `No answer within ${ms} ms.`, es: `El servicio no respondió en ${ms} ms.` }),
  strangeAnswer: (status: number | null) => ({
    en: `The answer (status ${status}) is not one of this service.`,
    es: `La respuesta (estado ${status}) no es de este servicio.`,
  }),

  outcomes: {
    approved: { en: 'Approved automatically', es: 'Aprobadas automáticamente' },
    review: { en: 'Sent to review', es: 'Enviadas a revisión' },
    would_be_approved: { en: 'Would be approved automatically', es: 'Se aprobarían automáticamente' },
    would_go_to_review: { en: 'Would be sent to review', es: 'Se enviarían a revisión' },
    rejected: { en: 'Rejected', es: 'Rechazadas' },
    held: { en: 'Held: would be sent to review', es: 'Retenidas: se enviarían a revisión' },
    unknown: {
      en: 'Unknown: was under way, run again (declaring twice does no harm)',
      es: 'Sin certeza: estaban en curso, ejecute de nuevo (declarar dos veces no causa problemas)',
    },
    not_declared: { en: 'Not declared', es: 'No declaradas' },
    not_checked: { en: 'Not checked', es: 'No verificadas' },
  },
  lines: { en: 'Lines', es: 'Líneas' },
  line: { en: 'Line', es: 'Línea' },
  invoice: { en: 'Invoice', es: 'Factura' },
  amount: { en: 'Amount', es: 'Importe' },
  total: { en: 'Total', es: 'Total' },
  rejectedWith: { en: 'Rejected with', es: 'Rechazada con' },
  decimalMark: { en: '.', es: ',' },

  systemErrors: {
    ENOENT: { en: 'ENOENT: there is no such file or folder', es: 'ENOENT: no existe' },
    EISDIR: { en: 'EISDIR: it is a folder', es: 'EISDIR: es una carpeta' },
    EACCES: { en: 'EACCES: permission denied', es: 'EACCES: permiso denegado' },
    EPERM: { en: 'EPERM: permission denied', es: 'EPERM: permiso denegado' },
    EBUSY: { en: 'EBUSY: another program has it open', es: 'EBUSY: está abierto en otro programa' },
    ENOSPC: { en: 'ENOSPC: the disk is full', es: 'ENOSPC: el disco está lleno' },
  },
} satisfies Texts;
