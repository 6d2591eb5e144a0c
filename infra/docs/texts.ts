import type { Language, Text } from '../../lib/domain/language.ts';

/** What the HTML of the page says. */
export const pageTexts = {
  brand: { en: 'Invoice Service', es: 'Servicio de facturas' },
  reference: { en: 'API reference', es: 'Referencia de la API' },
  lead: {
    en: 'List and open your invoices, check an amount against the tolerance, and declare what you bill, one invoice at a time or a hundred at once.',
    es: 'Liste y consulte sus facturas, verifique un importe contra la tolerancia y declare lo que factura, de a una factura o de a cien.',
  },
  skip: { en: 'Skip to the endpoints', es: 'Ir a las operaciones' },
  contents: { en: 'Contents', es: 'Contenido' },
  start: { en: 'Get started', es: 'Primeros pasos' },
  guide: { en: 'Guide', es: 'Guía' },
  otherLanguage: { en: 'Español', es: 'English' },
  download: { en: 'OpenAPI document:', es: 'Documento OpenAPI:' },
  version: { en: 'Version', es: 'Versión' },
  footer: {
    en: 'The page loads nothing from elsewhere.',
    es: 'La página no carga nada de otros sitios.',
  },
  search: { en: 'Search', es: 'Buscar' },
  searchLabel: {
    en: 'Search operations, fields, errors and the guide',
    es: 'Buscar operaciones, campos, errores y guía',
  },

  quickStart: { en: 'Quick start', es: 'Inicio rápido' },
  authentication: { en: 'Authentication', es: 'Autenticación' },
  logInPanel: { en: 'Log in here', es: 'Inicie sesión aquí' },
  logIn: { en: 'Log in', es: 'Iniciar sesión' },
  email: { en: 'E-mail', es: 'Correo electrónico' },
  password: { en: 'Password', es: 'Contraseña' },
  tenant: { en: 'Tenant', es: 'Tenant' },
  apiKey: { en: 'API key', es: 'Clave de API' },
  token: { en: 'Token', es: 'Token' },
  credentials: { en: 'Credentials', es: 'Credenciales' },
  logOut: { en: 'Log out', es: 'Cerrar sesión' },
  credentialsHint: {
    en: 'The page sends these with every call, and keeps them until you close it. An empty field is not sent.',
    es: 'La página los envía con cada llamada y los conserva hasta que se cierre. Un campo vacío no se envía.',
  },

  parameters: { en: 'Parameters and headers', es: 'Parámetros y encabezados' },
  body: { en: 'Body', es: 'Cuerpo' },
  answer: { en: 'Answer', es: 'Respuesta' },
  answers: { en: 'Answers', es: 'Respuestas' },
  errors: { en: 'Errors', es: 'Errores' },
  errorForm: { en: 'The body of an error', es: 'El cuerpo de un error' },
  errorFormText: {
    en: 'Every error of the current interface has this form. `details` stands beside `VALIDATION_ERROR` alone.',
    es: 'Todo error de la interfaz actual tiene esta forma. `details` acompaña solo a `VALIDATION_ERROR`.',
  },
  headers: { en: 'Headers of the answers', es: 'Encabezados de las respuestas' },
  when: { en: 'When', es: 'Cuándo' },
  example: { en: 'Example', es: 'Ejemplo' },
  required: { en: 'required', es: 'obligatorio' },
  optional: { en: 'optional', es: 'opcional' },
  path: { en: 'path', es: 'ruta' },
  query: { en: 'query', es: 'consulta' },
  header: { en: 'header', es: 'encabezado' },
  oneOf: { en: 'One of these forms:', es: 'Una de estas formas:' },
  form: { en: 'Form', es: 'Forma' },
  each: { en: 'each item', es: 'cada elemento' },
  or: { en: 'or', es: 'o' },
  oneOfValues: { en: 'one of', es: 'uno de' },
  always: { en: 'always', es: 'siempre' },
  characters: { en: 'characters', es: 'caracteres' },
  items: { en: 'items', es: 'elementos' },
  atLeast: { en: 'at least', es: 'al menos' },
  atMost: { en: 'at most', es: 'como máximo' },
  to: { en: 'to', es: 'a' },
  notEmpty: { en: 'not empty', es: 'no vacío' },
  pattern: { en: 'pattern', es: 'patrón' },
  format: { en: 'format', es: 'formato' },
  byDefault: { en: 'by default', es: 'por defecto' },
  suchAs: { en: 'such as', es: 'por ejemplo' },

  samples: { en: 'Language of the samples', es: 'Lenguaje de los ejemplos' },
  sample: { en: 'Sample', es: 'Ejemplo' },
  copy: { en: 'Copy', es: 'Copiar' },
  ownValues: {
    en: 'In the samples, replace address, tenant, key, e-mail and password by your own.',
    es: 'En los ejemplos, reemplace dirección, tenant, clave, correo y contraseña por los suyos.',
  },
  tryIt: { en: 'Try it', es: 'Pruébelo' },
  requestBody: { en: 'Request body', es: 'Cuerpo de la solicitud' },
  reset: { en: 'Reset', es: 'Restablecer' },
  execute: { en: 'Execute', es: 'Ejecutar' },
  tryItOff: {
    en: 'Trying out is switched off on this page. The samples show each call.',
    es: 'En esta página no se puede probar. Los ejemplos muestran cada llamada.',
  },
  tryItAt: { en: 'Calls of this page go to', es: 'Las llamadas de esta página van a' },
  tryItOrigin: {
    en: 'The API sends no CORS headers: calls work only where this page has the same origin as the API, or where a proxy adds the headers.',
    es: 'La API no envía encabezados CORS: las llamadas funcionan solo si esta página tiene el mismo origen que la API, o si un proxy agrega los encabezados.',
  },
} as const satisfies Readonly<Record<string, Text>>;

/** What the script of the page says. `{name}` is replaced. */
export const scriptTexts = {
  loggedIn: { en: 'Logged in as', es: 'Sesión iniciada como' },
  enteredToken: { en: 'With the token that was entered', es: 'Con el token ingresado' },
  inTenant: { en: '(tenant {tenant})', es: '(tenant {tenant})' },
  notLoggedIn: { en: 'Not logged in.', es: 'Sin sesión.' },
  filledIn: {
    en: 'The tenant {tenant} and the API key …{key} are filled in.',
    es: 'El tenant {tenant} y la clave de API …{key} ya están cargados.',
  },
  neededCredentials: { en: 'A tenant and an API key are needed.', es: 'Hacen falta un tenant y una clave de API.' },
  noDemo: {
    en: 'There are no demo data here: enter credentials of your own.',
    es: 'Aquí no hay datos de demostración: ingrese sus propias credenciales.',
  },
  expired: { en: 'The token has expired.', es: 'El token venció.' },
  logInAgain: { en: 'Log in again.', es: 'Inicie sesión de nuevo.' },
  logInFirst: { en: 'Log in first', es: 'Inicie sesión primero' },
  logInFailed: { en: 'The login was refused:', es: 'El inicio de sesión fue rechazado:' },
  answer: { en: 'Answer', es: 'Respuesta' },
  noAnswer: { en: 'No answer', es: 'Sin respuesta' },
  noAnswerText: {
    en: 'The service cannot be reached, or the browser may not show its answer to a page of this origin.',
    es: 'No se puede llegar al servicio, o el navegador no puede mostrar su respuesta a una página de este origen.',
  },
  headers: { en: 'Headers', es: 'Encabezados' },
  sameCall: { en: 'The same call with curl', es: 'La misma llamada con curl' },
  copy: { en: 'Copy', es: 'Copiar' },
  copied: { en: 'Copied', es: 'Copiado' },
  selected: { en: 'Selected', es: 'Seleccionado' },
  noResults: { en: 'Nothing found', es: 'No se encontró nada' },
} as const satisfies Readonly<Record<string, Text>>;

/** The short name of each operation; those of the legacy route are known by their own. */
export const operationNames: Readonly<Record<string, Text>> = {
  login: { en: 'Log in', es: 'Iniciar sesión' },
  'list-invoices': { en: 'List invoices', es: 'Listar facturas' },
  'get-invoice': { en: 'Open an invoice', es: 'Consultar una factura' },
  'declare-invoice': { en: 'Declare an invoice', es: 'Declarar una factura' },
  'declare-batch': { en: 'Declare a batch', es: 'Declarar un lote' },
  'validate-amount': { en: 'Check an amount', es: 'Verificar un importe' },
};

/** Texts of one language, by name. */
export type Texts<Table> = { readonly [Name in keyof Table]: string };

/** The texts of a table in one language. */
export function textsIn<Table extends Readonly<Record<string, Text>>>(table: Table, language: Language): Texts<Table> {
  const entries = Object.entries(table).map(([name, text]) => [name, text[language]]);
  return Object.fromEntries(entries) as Texts<Table>;
}
