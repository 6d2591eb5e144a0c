import type { Text, Texts } from '../domain/language.ts';
import { supplierRequired, userInactive, wrongLogin } from '../domain/texts.ts';

/** The texts of a run: prompts, progress and results. */
export const runTexts = {
  apiKeyPrompt: { en: 'API key:', es: 'Clave de API:' },
  passwordPrompt: { en: 'Password:', es: 'Contraseña:' },
  noValue: (variable: string) => ({
    en: `${variable} has no value. Set it, or run the command in a terminal, and enter the value there.`,
    es: `${variable} no tiene valor. Defínala, o ejecute el comando en una terminal e ingrese allí el valor.`,
  }),
  invalidHeaderValue: (name: string) => ({
    en: `${name} has characters that a header cannot contain. Check the value.`,
    es: `${name} tiene caracteres que un encabezado HTTP no admite. Revise el valor.`,
  }),
  invalidAddress: {
    en: 'The option --url must end before /apidev, and cannot have a user, a query or a fragment.',
    es: 'La opción --url debe terminar antes de /apidev, y no admite usuario, parámetros ni fragmento.',
  },
  existsAlready: {
    en: 'it exists: choose another name, or pass --overwrite',
    es: 'ya existe: elija otro nombre o indique --overwrite',
  },
  isInputFile: {
    en: 'it is the input file: choose another name',
    es: 'es el archivo de facturas: elija otro nombre',
  },

  steps: {
    checking: { en: 'Checking', es: 'Verificando' },
    declaring: { en: 'Declaring', es: 'Declarando' },
  },
  of: { en: 'of', es: 'de' },
  waiting: (seconds: number) => ({
    en: ` (waiting ${seconds} s before the next request)`,
    es: ` (espera de ${seconds} s antes de la próxima solicitud)`,
  }),

  stopped: (reason: Text) => ({ en: `Stopped: ${reason.en}`, es: `El comando se detuvo: ${reason.es}` }),
  interrupted: {
    en: 'Interrupted with Ctrl-C. The table shows what was declared.',
    es: 'Interrumpido con Ctrl-C. La tabla muestra qué se declaró.',
  },
  request: (id: string) => ({ en: ` (request ${id})`, es: ` (solicitud ${id})` }),
  noResponse: (detail: string) => ({
    en: `The service did not respond${detail}. Check the connection and --url, and run the command again.`,
    es: `El servicio no respondió${detail.replace('within', 'en')}. Revise la conexión y --url, y ejecute el comando de nuevo.`,
  }),
  unknownPath: {
    en: 'The service does not have this path. Pass --url without a path, such as https://portal.example.',
    es: 'El servicio no tiene esta ruta. Indique --url sin ruta, por ejemplo https://portal.example.',
  },
  invalidResponse: (status: number | null) => ({
    en: `The server responded with status ${status}, but the response is not from this service. Check --url, or try again.`,
    es: `El servidor respondió ${status}, pero la respuesta no es de este servicio. Revise --url o intente de nuevo.`,
  }),

  question: (count: number) => ({
    en: `Declare ${count} ${count === 1 ? 'invoice' : 'invoices'}?`,
    es: `¿Declarar ${count} ${count === 1 ? 'factura' : 'facturas'}?`,
  }),
  outside: (count: number) => ({
    en: `Amounts outside the tolerance: ${count}`,
    es: `Importes fuera de la tolerancia: ${count}`,
  }),
  largest: { en: 'The largest differences:', es: 'Las mayores diferencias:' },
  difference: { en: 'Difference', es: 'Diferencia' },
  notConfirmed: { en: 'Nothing was declared.', es: 'No se declaró nada.' },
  report: { en: 'Report', es: 'Informe' },

  outcomes: {
    approved: { en: 'Approved automatically', es: 'Aprobadas automáticamente' },
    review: { en: 'Sent to review', es: 'Enviadas a revisión' },
    would_be_approved: { en: 'Would be approved automatically', es: 'Se aprobarían automáticamente' },
    would_go_to_review: { en: 'Would be sent to review', es: 'Se enviarían a revisión' },
    rejected: { en: 'Rejected', es: 'Rechazadas' },
    held: { en: 'Not declared: would be sent to review', es: 'No declaradas: irían a revisión' },
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
  rejectedWith: { en: 'Reason', es: 'Motivo del rechazo' },
} satisfies Texts;

/** The words for the outcomes in a report in Spanish. */
export const SPANISH_OUTCOMES: Readonly<Record<keyof typeof runTexts.outcomes, string>> = {
  approved: 'aprobada',
  review: 'en revisión',
  would_be_approved: 'se aprobaría',
  would_go_to_review: 'iría a revisión',
  rejected: 'rechazada',
  held: 'retenida',
  unknown: 'desconocida',
  not_declared: 'no declarada',
  not_checked: 'no verificada',
};

/** The service messages that are in English in every language, in Spanish. */
export const SPANISH_MESSAGES = new Map([
  [wrongLogin.en, 'El correo o la contraseña no son válidos.'],
  [userInactive.en, 'El usuario no está activo.'],
  [supplierRequired.en, 'La cuenta no es de un prestador.'],
]);

/** The texts about the errors in a file of invoices. */
export const fileTexts = {
  repeated: (line: number) => ({
    en: `is already in row ${line}: keep one of the rows`,
    es: `ya está en la fila ${line}: deje una sola`,
  }),
  hidden: {
    en: 'is hidden or filtered: show it, delete it, or pass --include-hidden',
    es: 'está oculta o filtrada: muéstrela, bórrela o indique --include-hidden',
  },
  required: { en: 'the value is missing', es: 'falta el valor' },
  digitsOnly: { en: 'must be digits only', es: 'debe tener solo dígitos' },
  tooLong: (maximum: number) => ({
    en: `must have at most ${maximum} characters`,
    es: `debe tener como máximo ${maximum} caracteres`,
  }),
  notADate: { en: 'is not a date from 2000 to 2100', es: 'no es una fecha de 2000 a 2100' },
  notAnAmount: { en: 'is not an amount', es: 'no es un importe' },
  notAPercentage: { en: 'is not a percentage', es: 'no es un porcentaje' },
  outOfRange: (maximum: number) => ({
    en: `must be from 0 to ${maximum}`,
    es: `debe estar entre 0 y ${String(maximum).replace('.', ',')}`,
  }),
  tooPrecise: (decimals: number) => ({
    en: `must have at most ${decimals} decimals, and 15 digits in all`,
    es: `debe tener como máximo ${decimals} decimales, y 15 dígitos en total`,
  }),
  orDates: ({ en, es }: Text) => ({
    en: `${en}, or pass --dates dmy or --dates mdy`,
    es: `${es}, o indique --dates dmy o --dates mdy`,
  }),
  row: (row: string) => ({ en: `Row ${row}`, es: `Fila ${row}` }),
  places: (count: number, places: string) => ({
    en: ` (in ${count} places: ${places})`,
    es: ` (en ${count} lugares: ${places})`,
  }),
  errors: (file: string, count: number) => ({
    en: `Nothing was sent: ${file} has ${count === 1 ? 'an error' : `${count} errors`}.`,
    es: `No se envió nada: ${file} tiene ${count === 1 ? 'un error' : `${count} errores`}.`,
  }),
} satisfies Texts;
