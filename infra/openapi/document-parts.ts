import packageJson from '../../package.json' with { type: 'json' };
import { DEMO_ACCOUNT } from './sample-requests.ts';

// The parts of the OpenAPI document that do not depend on the contracts. published.ts selects the language of texts.

export const INFO = {
  title: { en: 'Supplier Portal Invoice Service', es: 'Servicio de facturas del portal de prestadores' },
  version: packageJson.version,
  summary: {
    en: 'Suppliers list and view their own invoices, and declare the amounts they bill.',
    es: 'Los prestadores consultan sus propias facturas y declaran los importes que facturan.',
  },
  contact: { name: { en: 'Supplier Portal operations', es: 'Operaciones del portal de prestadores' } },
  license: { name: { en: 'Proprietary', es: 'Propietaria' }, identifier: 'LicenseRef-Proprietary' },
};

export const SERVERS = [
  {
    url: 'https://{address}',
    description: {
      en: 'A deployed service, at the address that you received at onboarding; the address can have a path, such as `/live`',
      es: 'Un servicio desplegado, en la dirección que recibió en el alta; la dirección puede tener una ruta, como `/live`',
    },
    variables: { address: { default: 'portal.example' } },
  },
  {
    url: 'http://127.0.0.1:3000',
    description: {
      en: 'The service on your own machine (`npm start`)',
      es: 'El servicio en su propia máquina (`npm start`)',
    },
  },
];

export const SECURITY_SCHEMES = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: {
      en: 'The access token: `data.authorization` of the login',
      es: 'El token de acceso: `data.authorization` en la respuesta del inicio de sesión',
    },
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: {
      en: 'The API key issued to the company at onboarding',
      es: 'La clave de API que la empresa recibió en el alta',
    },
  },
};

/** The groups of operations in the document, by the tag of a contract. */
export const TAGS = {
  Session: {
    name: { en: 'Session', es: 'Sesión' },
    description: {
      en: 'Logging in with an e-mail address and a password.',
      es: 'Inicio de sesión con correo electrónico y contraseña.',
    },
  },
  Invoices: {
    name: { en: 'Invoices', es: 'Facturas' },
    description: {
      en: 'The invoices of the supplier that the user of the token belongs to.',
      es: 'Las facturas del prestador al que pertenece el usuario del token.',
    },
  },
  Declarations: {
    name: { en: 'Declarations', es: 'Declaraciones' },
    description: {
      en: 'The amounts that the supplier bills, and their comparison with the tolerance.',
      es: 'Los importes que el prestador factura y su comparación con la tolerancia.',
    },
  },
  Legacy: {
    name: { en: 'Legacy', es: 'Protocolo anterior' },
    description: {
      en: 'The same invoices, rules, permissions and limits in the format of the legacy protocol. This service defines the names of operations and fields.',
      es: 'Las mismas facturas, reglas, permisos y límites en el formato del protocolo anterior. Este servicio define los nombres de las operaciones y de los campos.',
    },
  },
};

/** The headers of several operations. The document contains each of them once. */
export const SHARED_PARAMETERS = {
  Tenant: {
    name: 'tenant',
    in: 'header',
    required: true,
    description: { en: 'The assigned tenant domain', es: 'El dominio del tenant asignado' },
    schema: { type: 'string', minLength: 1 },
    example: DEMO_ACCOUNT.tenant,
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    required: false,
    description: {
      en: 'The preferred language of messages: Spanish (such as `es`, `es-AR` or `es;q=0.9, en;q=0.5`), or by default English. Codes, names and fixed messages are the same in both languages',
      es: 'El idioma preferido de los mensajes: español (como `es`, `es-AR` o `es;q=0.9, en;q=0.5`) o, por defecto, inglés. Los códigos, los nombres y los mensajes fijos son iguales en ambos idiomas',
    },
    schema: { type: 'string' },
  },
};

const COUNT = { type: 'integer', minimum: 0 };

/**
 * The headers of responses. The security headers, which every response has, are omitted. A header is not required if a
 * response of the gateway itself omits it.
 */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    required: true,
    description: {
      en: 'Unique identifier of the request, created by the service; include it when you ask for help',
      es: 'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
    },
    schema: { type: 'string', format: 'uuid' },
    example: '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  },
  'X-RateLimit-Limit': {
    required: false,
    description: {
      en: 'Maximum requests in the current window; absent in a response of the gateway itself',
      es: 'Máximo de solicitudes en la ventana actual; ausente en una respuesta del gateway mismo',
    },
    schema: COUNT,
    example: 30,
  },
  'X-RateLimit-Remaining': {
    required: false,
    description: {
      en: 'Requests left in the window; the maximum if the caller is unknown',
      es: 'Solicitudes que quedan en la ventana; el máximo si no se sabe quién llama',
    },
    schema: COUNT,
    example: 29,
  },
  'X-RateLimit-Reset': {
    required: false,
    description: {
      en: 'Unix timestamp in seconds when the window resets; a full window from now if the caller is unknown',
      es: 'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora si no se sabe quién llama',
    },
    schema: COUNT,
    example: 1795243130,
  },
  'Retry-After': {
    required: true,
    description: { en: 'Seconds to wait', es: 'Segundos de espera' },
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'X-Ignored-Fields': {
    required: false,
    description: {
      en: 'Unknown fields of the body, such as `declarations[].invoce_date`, which the service ignored: at most 10, each with percent-encoding and at most 60 characters of its name; absent if there are none',
      es: 'Campos desconocidos del cuerpo, como `declarations[].invoce_date`, que el servicio ignoró: como máximo 10, cada uno con codificación porcentual y como máximo 60 caracteres de su nombre; ausente si no hay ninguno',
    },
    schema: { type: 'string' },
    example: 'invoce_date',
  },
};
