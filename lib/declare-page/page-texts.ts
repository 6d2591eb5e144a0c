import type { HistoryKind, StateCode } from '../client/index.ts';
import { INVOICE_STATES } from '../domain/invoice-states.ts';
import type { Text, Texts } from '../domain/language.ts';

/** The outcomes of a line, in the order of the totals. */
export const outcomeTexts = {
  not_checked: { en: 'Not checked', es: 'Sin verificar' },
  would_be_approved: { en: 'Would be approved', es: 'Se aprobaría' },
  may_go_to_review: { en: 'May go to review', es: 'Puede ir a revisión' },
  would_go_to_review: { en: 'Would go to review', es: 'Iría a revisión' },
  approved: { en: 'Approved', es: 'Aprobada' },
  review: { en: 'Sent to review', es: 'Enviada a revisión' },
  rejected: { en: 'Rejected', es: 'Rechazada' },
  unknown: { en: 'Not known', es: 'Desconocido' },
  left_out: { en: 'Left out', es: 'Omitida' },
} satisfies Texts;

/** The names of the fields. The reader of files accepts them as headings. */
export const fieldTexts = {
  invoice_id: { en: 'Invoice id', es: 'Id de factura' },
  amount: { en: 'Amount', es: 'Importe' },
  notes: { en: 'Notes', es: 'Notas' },
  invoice_number: { en: 'Your invoice number', es: 'Su número de comprobante' },
  invoice_date: { en: 'Date of your invoice', es: 'Fecha de su comprobante' },
  tax_pct: { en: 'Tax %', es: 'IVA %' },
} satisfies Texts;

export const stateTexts = {
  PEN: { en: 'Pending', es: INVOICE_STATES.PEN.name },
  ENV: { en: 'Sent', es: INVOICE_STATES.ENV.name },
  APR: { en: 'Approved', es: INVOICE_STATES.APR.name },
  REV: { en: 'Under review', es: INVOICE_STATES.REV.name },
  REC: { en: 'Rejected', es: INVOICE_STATES.REC.name },
  AJU: { en: 'Adjusted', es: INVOICE_STATES.AJU.name },
  LIQ: { en: 'Settled', es: INVOICE_STATES.LIQ.name },
} satisfies Record<StateCode, Text>;

/** The kinds of the changes in the history of an invoice. */
export const changeTexts = {
  DECLARED: { en: 'Declared', es: 'Declarada' },
  STATE_CHANGED: { en: 'State changed by the company', es: 'La empresa cambió el estado' },
  AMOUNT_CHANGED: { en: 'System amount changed', es: 'Cambió el importe del sistema' },
  NOTICE_CHANGED: {
    en: 'Message, approved amount or payment changed',
    es: 'Cambió el mensaje, el importe aprobado o el pago',
  },
  FIELDS_CHANGED: { en: 'Other data changed', es: 'Cambiaron otros datos' },
  WITHDRAWN: { en: 'Withdrawn by the company', es: 'Retirada por la empresa' },
  RESTORED: { en: 'Restored by the company', es: 'Restituida por la empresa' },
} satisfies Record<HistoryKind, Text>;

/** The texts of the page, in the order of its sections. */
export const pageTexts = {
  title: { en: 'Declare invoices', es: 'Declarar facturas' },
  otherLanguage: { en: 'Español', es: 'English' },
  help: { en: 'Help', es: 'Ayuda' },

  access: { en: '1. Log in', es: '1. Ingresar' },
  tenant: { en: 'Tenant', es: 'Tenant' },
  apiKey: { en: 'API key', es: 'Clave de API' },
  email: { en: 'E-mail', es: 'Correo' },
  password: { en: 'Password', es: 'Contraseña' },
  next: { en: 'Next', es: 'Siguiente' },
  back: { en: 'Back', es: 'Volver' },
  logIn: { en: 'Log in', es: 'Ingresar' },
  logOut: { en: 'Log out', es: 'Salir' },
  keyOwner: {
    en: 'The API key belongs to your company: only its employees who declare invoices may have it. This page keeps the key and the password in memory only, until you close it.',
    es: 'La clave de API es de su empresa: solo pueden tenerla los empleados que declaran facturas. Esta página guarda la clave y la contraseña solo en memoria, hasta que la cierre.',
  },
  invalidCredentials: {
    en: 'A value has characters that cannot be sent.',
    es: 'Un valor tiene caracteres que no se pueden enviar.',
  },

  openInvoices: { en: 'Open invoices', es: 'Facturas abiertas' },
  showOpen: {
    en: 'Show my pending, rejected and adjusted invoices',
    es: 'Mostrar mis facturas pendientes, rechazadas y ajustadas',
  },
  loading: { en: 'Loading…', es: 'Cargando…' },
  noOpen: {
    en: 'You have no pending, rejected or adjusted invoices.',
    es: 'No tiene facturas pendientes, rechazadas ni ajustadas.',
  },
  downloadOpen: { en: 'Download these invoices (.xlsx)', es: 'Descargar estas facturas (.xlsx)' },
  openFile: { en: 'open-invoices', es: 'facturas-abiertas' },
  systemAmount: { en: 'System amount', es: 'Importe del sistema' },
  declaredBefore: { en: 'Already declared', es: 'Ya declarado' },
  state: { en: 'State', es: 'Estado' },
  why: { en: 'Why?', es: '¿Por qué?' },
  message: { en: 'Message of the company', es: 'Mensaje de la empresa' },
  approvedAmount: { en: 'Approved amount', es: 'Importe aprobado' },
  declaredAmount: { en: 'Declared amount', es: 'Importe declarado' },
  time: { en: 'Time', es: 'Fecha y hora' },
  change: { en: 'Change', es: 'Cambio' },
  history: (shown: string, total: string) => ({
    en: `History, newest first: ${shown} of ${total}`,
    es: `Historial, primero lo más nuevo: ${shown} de ${total}`,
  }),

  file: { en: '2. The file', es: '2. El archivo' },
  drop: {
    en: 'Choose or drop an .xlsx or .csv file with one row for each invoice',
    es: 'Elija o arrastre un archivo .xlsx o .csv con una fila por factura',
  },
  reading: { en: 'Reading the file…', es: 'Leyendo el archivo…' },
  tooManyRows: (maximum: string) => ({
    en: `The file has more than ${maximum} rows. Divide it into several files.`,
    es: `El archivo tiene más de ${maximum} filas. Divídalo en varios archivos.`,
  }),
  noRows: { en: 'The file has no invoices.', es: 'El archivo no tiene facturas.' },
  dayFirst: {
    en: 'The dates have their day first, such as 24/08/2026',
    es: 'Las fechas tienen primero el día, por ejemplo 24/08/2026',
  },
  chooseColumns: (fields: string) => ({
    en: `Choose above the columns of the table which column contains: ${fields}.`,
    es: `Elija sobre las columnas de la tabla cuál contiene: ${fields}.`,
  }),
  chooseOneColumn: (headings: string) => ({
    en: `These columns have the same content: ${headings}. Choose «(not used)» above all but one, or rename equal headings in the file.`,
    es: `Estas columnas tienen el mismo contenido: ${headings}. Elija «(no se usa)» sobre todas menos una, o cambie en el archivo los encabezados iguales.`,
  }),
  errors: (count: string) => ({
    en: `Rows with errors: ${count}. Correct the file and choose it again, or leave these rows out.`,
    es: `Filas con errores: ${count}. Corrija el archivo y elíjalo de nuevo, u omita estas filas.`,
  }),
  rejected: { en: 'These invoices are rejected:', es: 'Estas facturas se rechazan:' },
  moreErrors: { en: 'The table shows the others.', es: 'La tabla muestra las demás.' },
  leaveOutErrors: (count: string) => ({
    en: `Leave out ${count} rows with errors`,
    es: `Omitir ${count} filas con errores`,
  }),
  leftOut: (count: string) => ({ en: `Rows left out: ${count}.`, es: `Filas omitidas: ${count}.` }),

  table: { en: 'Rows of the file', es: 'Filas del archivo' },
  row: { en: 'Row', es: 'Fila' },
  include: (line: string) => ({ en: `Declare row ${line}`, es: `Declarar la fila ${line}` }),
  result: { en: 'Result', es: 'Resultado' },
  difference: { en: 'Difference', es: 'Diferencia' },
  outside: { en: 'outside the tolerance', es: 'fuera de la tolerancia' },
  notUsed: { en: '(not used)', es: '(no se usa)' },
  columnOf: (heading: string) => ({ en: `Content of ${heading}`, es: `Contenido de ${heading}` }),
  shownRows: (shown: string, total: string) => ({
    en: `The table shows ${shown} of ${total} rows: those that need attention first.`,
    es: `La tabla muestra ${shown} de ${total} filas: primero las que requieren atención.`,
  }),

  declare: { en: '3. Check and declare', es: '3. Verificar y declarar' },
  check: (count: string) => ({ en: `Check ${count} invoices`, es: `Verificar ${count} facturas` }),
  holdReview: { en: 'Declare only what would be approved', es: 'Declarar solo lo que se aprobaría' },
  declareCount: (count: string) => ({ en: `Declare ${count} invoices`, es: `Declarar ${count} facturas` }),
  summary: (count: string, sum: string) => ({
    en: `${count} invoices with a total of ${sum} will be declared.`,
    es: `Se declararán ${count} facturas por un total de ${sum}.`,
  }),
  declareNow: { en: 'Declare', es: 'Declarar' },
  cancel: { en: 'Cancel', es: 'Cancelar' },
  stop: { en: 'Stop', es: 'Detener' },
  resume: { en: 'Continue', es: 'Continuar' },
  checking: { en: 'Checking', es: 'Verificando' },
  declaring: { en: 'Declaring', es: 'Declarando' },
  progress: (done: string, total: string) => ({ en: `${done} of ${total}`, es: `${done} de ${total}` }),
  waiting: (seconds: number) => ({
    en: `Waiting ${Math.ceil(seconds)} s before the next request`,
    es: `Espera de ${Math.ceil(seconds)} s antes de la próxima solicitud`,
  }),
  checked: { en: 'Checked. Nothing is declared yet.', es: 'Verificado. Todavía no se declaró nada.' },
  finished: { en: 'Finished.', es: 'Terminado.' },
  stopped: (reason: Text) => ({
    en: `Stopped: ${reason.en} You can continue: nothing is declared twice.`,
    es: `Se detuvo: ${reason.es} Puede continuar: nada se declara dos veces.`,
  }),
  stoppedByUser: { en: 'you stopped it.', es: 'usted lo detuvo.' },
  count: { en: 'Rows', es: 'Filas' },
  total: { en: 'Total', es: 'Total' },
  outsideCount: (count: string) => ({
    en: `Amounts outside the tolerance: ${count}`,
    es: `Importes fuera de la tolerancia: ${count}`,
  }),
  downloadReport: { en: 'Download the report (.xlsx)', es: 'Descargar el informe (.xlsx)' },
  report: { en: 'Report', es: 'Informe' },

  requestSuffix: (id: string) => ({ en: ` (request ${id})`, es: ` (solicitud ${id})` }),
  noResponse: {
    en: 'The service did not respond. Check the connection.',
    es: 'El servicio no respondió. Revise la conexión.',
  },
  invalidResponse: (status: number | null) => ({
    en: `The server responded with status ${status}, but the response is not from this service. Try again.`,
    es: `El servidor respondió ${status}, pero la respuesta no es de este servicio. Intente de nuevo.`,
  }),
} satisfies Texts;
