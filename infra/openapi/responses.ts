import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/fields.doc.ts';
import { ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { ANSWER_HEADERS } from '../../lib/http/responses.ts';
import { json, type Reference } from './operation.ts';
import type { Schemas } from './schemas.ts';

const ROWS: readonly (readonly [code: ErrorCode, type: string, cause: Text])[] = [
  [
    'VALIDATION_ERROR',
    'BAD_REQUEST_PARAMETERS',
    { en: 'no valid HTTP request', es: 'no es una solicitud HTTP válida' },
  ],
  ['VALIDATION_ERROR', 'REQUEST_TOO_LARGE', { en: 'a body of more than 10 MB', es: 'un cuerpo de más de 10 MB' }],
  [
    'FORBIDDEN',
    'WAF_FILTERED',
    { en: 'rejected by the web ACL, if there is one', es: 'rechazada por la web ACL, si la hay' },
  ],
  [
    'RATE_LIMITED',
    'THROTTLED',
    { en: 'too many requests of all users together', es: 'demasiadas solicitudes de todos los usuarios en conjunto' },
  ],
  ['INTERNAL_ERROR', 'INTEGRATION_FAILURE', { en: 'the function failed', es: 'la función falló' }],
  ['INTERNAL_ERROR', 'INTEGRATION_TIMEOUT', { en: 'no answer in time', es: 'no hubo respuesta a tiempo' }],
];

/**
 * The responses of the gateway itself to any operation, which have the envelope of the current interface. `type` is the
 * response type in the template.
 */
export const GATEWAY_ANSWERS = ROWS.map(([code, type, cause]) => ({
  status: ERROR_CODES[code].status,
  code,
  type,
  en: `The gateway: ${cause.en}`,
  es: `El gateway: ${cause.es}`,
}));

const count = { type: 'integer', minimum: 0 } as const;
const fixed = (name: keyof typeof ANSWER_HEADERS) => ({ type: 'string', const: ANSWER_HEADERS[name] }) as const;

// The headers of responses, by the name of their component.
const HEADERS = {
  RequestId: [
    'X-Request-Id',
    {
      en: 'Unique identifier of the request, made by the service; name it when you ask for help',
      es: 'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
    },
    { type: 'string', format: 'uuid' },
  ],
  CacheControl: [
    'Cache-Control',
    { en: 'No answer may be stored', es: 'Ninguna respuesta debe almacenarse' },
    fixed('Cache-Control'),
  ],
  ContentTypeOptions: [
    'X-Content-Type-Options',
    { en: 'The type of the content is the one that is named', es: 'El tipo del contenido es el que se indica' },
    fixed('X-Content-Type-Options'),
  ],
  TransportSecurity: [
    'Strict-Transport-Security',
    {
      en: 'For a year, this host speaks HTTPS only; means nothing over HTTP, as on your own machine',
      es: 'Durante un año, este host solo usa HTTPS; no significa nada sobre HTTP, como en su propia máquina',
    },
    fixed('Strict-Transport-Security'),
  ],
  ContentSecurity: [
    'Content-Security-Policy',
    {
      en: 'A browser that shows the answer loads nothing for it, and shows it in no frame',
      es: 'Un navegador que muestra la respuesta no carga nada para ella ni la muestra dentro de un marco',
    },
    fixed('Content-Security-Policy'),
  ],
  RateLimitLimit: [
    'X-RateLimit-Limit',
    { en: 'Maximum requests in the current window', es: 'Máximo de solicitudes en la ventana actual' },
    count,
  ],
  RateLimitRemaining: [
    'X-RateLimit-Remaining',
    {
      en: 'Requests left in the window; the maximum where the caller is not known',
      es: 'Solicitudes que quedan en la ventana; el máximo cuando no se sabe quién llama',
    },
    count,
  ],
  RateLimitReset: [
    'X-RateLimit-Reset',
    {
      en: 'Unix timestamp in seconds when the window resets; a whole window from now where the caller is not known',
      es: 'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora cuando no se sabe quién llama',
    },
    count,
  ],
  RetryAfter: ['Retry-After', { en: 'Seconds to wait', es: 'Segundos de espera' }, { type: 'integer', minimum: 1 }],
} as const satisfies Record<string, readonly [name: string, description: Text, schema: object]>;

const isOfRate = (component: string) => component.startsWith('RateLimit');
const OPTIONAL = 'IfAny';

/**
 * Builds the components of all headers, with recorded values as examples. Rate headers have two components, because the
 * gateway does not know the limits of users.
 */
export function headerComponents(sent: Readonly<Record<string, string>>, language: Language): Record<string, object> {
  const withoutIt = { en: 'the gateway itself answers without it', es: 'el gateway mismo responde sin él' }[language];
  const components = Object.entries(HEADERS).map(([component, [name, text, schema]]) => {
    const description = text[language];
    const example = sent[name.toLowerCase()];
    const value = schema.type === 'integer' ? Number(example) : example;
    return [component, { required: true, description, schema, example: value }] as const;
  });
  const optional = components
    .filter(([component]) => isOfRate(component))
    .map(([component, header]) => [
      component + OPTIONAL,
      { ...header, required: false, description: `${header.description}; ${withoutIt}` },
    ]);
  return Object.fromEntries([...components, ...optional]);
}

/** Returns the headers of a response as references to their components; `countsRate`: with the remaining requests. */
function headersOf(status: number, countsRate: boolean): Record<string, Reference> {
  const isOfGateway = GATEWAY_ANSWERS.some((answer) => answer.status === status);
  const sent = Object.entries(HEADERS).filter(
    ([component]) => (countsRate || !isOfRate(component)) && (status === 429 || component !== 'RetryAfter'),
  );
  return Object.fromEntries(
    sent.map(([component, [name]]) => {
      const optional = isOfGateway && isOfRate(component) ? OPTIONAL : '';
      return [name, { $ref: `#/components/headers/${component}${optional}` }];
    }),
  );
}

/** A response of an operation: a success, or one of its errors. */
export interface Answer {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: JsonSchema;
  /** True (the default) if it contains the remaining requests of the limit. */
  readonly countsRate?: boolean;
}

/** Builds all responses of an operation by status: those of its function, and those of the gateway itself. */
export function responsesOf(ofFunction: readonly Answer[], schemas: Schemas) {
  const ofGateway = GATEWAY_ANSWERS.map(({ status, code }) => {
    return { status, kind: code, schema: errorSchema(code, schemas), countsRate: false };
  });
  const success = schemas.language === 'en' ? 'Success' : 'Éxito';
  const byStatus = Map.groupBy([...ofFunction, ...ofGateway], ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => [
      status,
      {
        description: [...new Set(answers.map(({ kind }) => (kind === 'Success' ? success : kind)))].join(', '),
        headers: headersOf(status, !answers.every(({ countsRate }) => countsRate === false)),
        content: json(anyOf(answers.map(({ schema }) => schema))),
      },
    ]),
  );
}

export function errorSchema(code: ErrorCode, schemas: Schemas): JsonSchema {
  return schemas.refer(ERROR_ENVELOPES[code]);
}

/** Combines schemas to one that accepts any of them; equal schemas count once. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}
