import type { Text, Texts } from '../../../domain/language.ts';

/** The texts of a run: prompts, progress and results. */
export const runTexts = {
  apiKeyPrompt: { en: 'API key: ', es: 'Clave de API: ' },
  passwordPrompt: { en: 'Password: ', es: 'Contraseña: ' },
  noTerminal: (variable: string) => ({
    en: `${variable} is not set. Set it, or run the command in a terminal, which asks for it.`,
    es: `${variable} no está definida. Defínala o ejecute el comando en una terminal, que la pide.`,
  }),
  isEmpty: (variable: string) => ({ en: `${variable} is empty.`, es: `${variable} está vacía.` }),
  invalidHeaderValue: (name: string) => ({
    en: `${name} has characters that cannot be sent in a header.`,
    es: `${name} tiene caracteres que no se pueden enviar en un encabezado HTTP.`,
  }),
  cannotWrite: (report: string, reason: Text) => ({
    en: `The report ${report} cannot be written: ${reason.en}`,
    es: `No se puede escribir el informe ${report}: ${reason.es}`,
  }),
  isInputFile: { en: 'it is the input file', es: 'es el archivo de facturas' },

  steps: {
    checking: { en: 'Checking', es: 'Verificando' },
    declaring: { en: 'Declaring', es: 'Declarando' },
  },
  of: { en: 'of', es: 'de' },
  waiting: (seconds: number) => ({
    en: ` (waiting ${seconds} s before the next request)`,
    es: ` (espera de ${seconds} s antes de la próxima solicitud)`,
  }),

  stopped: (reason: Text) => ({ en: `Stopped: ${reason.en}`, es: `Se detuvo: ${reason.es}` }),
  interrupted: {
    en: 'Interrupted with Ctrl-C. The table shows what was declared.',
    es: 'Interrumpido con Ctrl-C. La tabla muestra qué se declaró.',
  },
  request: (id: string) => ({ en: ` (request ${id})`, es: ` (solicitud ${id})` }),
  noResponse: (detail: string) => ({
    en: `The service did not respond${detail}.`,
    es: `El servicio no respondió${detail.replace('within', 'en')}.`,
  }),
  invalidResponse: (status: number | null) => ({
    en: `The server responded with status ${status}, but the response is not from this service. Check --url, or try again.`,
    es: `El servidor respondió ${status}, pero la respuesta no es de este servicio. Revise --url o intente de nuevo.`,
  }),

  outcomes: {
    approved: { en: 'Approved automatically', es: 'Aprobadas automáticamente' },
    review: { en: 'Sent to review', es: 'Enviadas a revisión' },
    would_be_approved: { en: 'Would be approved automatically', es: 'Se aprobarían automáticamente' },
    would_go_to_review: { en: 'Would be sent to review', es: 'Se enviarían a revisión' },
    rejected: { en: 'Rejected', es: 'Rechazadas' },
    held: { en: 'Held: would be sent to review', es: 'Retenidas: se enviarían a revisión' },
    unknown: {
      en: 'Not known if declared: run the command again',
      es: 'No se sabe si se declararon: ejecute el comando de nuevo',
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
    EBUSY: { en: 'EBUSY: it is open in another program', es: 'EBUSY: está abierto en otro programa' },
    ENOSPC: { en: 'ENOSPC: the disk is full', es: 'ENOSPC: el disco está lleno' },
  },
} satisfies Texts;

/** The texts about the errors in a file of invoices. */
export const fileTexts = {
  cannotRead: (file: string, reason: Text) => ({
    en: `The file ${file} cannot be read: ${reason.en}`,
    es: `No se puede leer el archivo ${file}: ${reason.es}`,
  }),
  repeated: (line: number) => ({ en: `is already in line ${line}`, es: `ya está en la línea ${line}` }),
  required: { en: 'is required', es: 'es obligatorio' },
  digitsOnly: { en: 'must be digits only', es: 'debe tener solo dígitos' },
  tooLong: (maximum: number) => ({
    en: `must have at most ${maximum} characters`,
    es: `debe tener como máximo ${maximum} caracteres`,
  }),
  invalidDate: {
    en: 'must be a date like 2026-08-28 (ISO 8601), or 28/8/2026',
    es: 'debe ser una fecha como 2026-08-28 (ISO 8601), o 28/8/2026',
  },
  invalidNumber: (maximum: number) => ({
    en: `must be a number from 0 to ${maximum}, with digits and at most one decimal mark only`,
    es: `debe ser un número de 0 a ${String(maximum).replace('.', ',')}, solo con dígitos y un signo decimal como máximo`,
  }),
  tooPrecise: (decimals: number) => ({
    en: `must have at most ${decimals} decimals, and 15 digits in all`,
    es: `debe tener como máximo ${decimals} decimales, y 15 dígitos en total`,
  }),
  line: (line: number, column: string | undefined, error: Text) => ({
    en: `line ${line}${column ? `, ${column}` : ''}: ${error.en}`,
    es: `línea ${line}${column ? `, ${column}` : ''}: ${error.es}`,
  }),
  errors: (file: string, count: number) => ({
    en: `Nothing was sent: ${file} has ${count === 1 ? 'an error' : `${count} errors`}.`,
    es: `No se envió nada: ${file} tiene ${count === 1 ? 'un error' : `${count} errores`}.`,
  }),
} satisfies Texts;
