import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/fields.doc.ts';
import { ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import type { Text } from '../../lib/domain/language.ts';
import { RESPONSE_HEADERS } from '../../lib/http/responses.ts';
import type { Schemas } from './schemas.ts';

/** The error code, the response type of API Gateway, and the cause in both languages. */
const GATEWAY_ROWS: readonly (readonly [code: ErrorCode, type: string, en: string, es: string])[] = [
  ['VALIDATION_ERROR', 'BAD_REQUEST_PARAMETERS', 'not a valid HTTP request', 'no es una solicitud HTTP válida'],
  ['VALIDATION_ERROR', 'REQUEST_TOO_LARGE', 'a body of more than 10 MB', 'un cuerpo de más de 10 MB'],
  [
    'FORBIDDEN',
    'WAF_FILTERED',
    'rejected by the web ACL, if it is enabled',
    'rechazada por la web ACL, si está activada',
  ],
  [
    'RATE_LIMITED',
    'THROTTLED',
    'too many requests from all users together',
    'demasiadas solicitudes de todos los usuarios en conjunto',
  ],
  ['INTERNAL_ERROR', 'INTEGRATION_FAILURE', 'the function failed', 'la función falló'],
  ['INTERNAL_ERROR', 'INTEGRATION_TIMEOUT', 'no response in time', 'no hubo respuesta a tiempo'],
];

/** The responses of the gateway itself to any operation, which have the envelope of the current interface. */
export const GATEWAY_RESPONSES = GATEWAY_ROWS.map(([code, type, en, es]) => {
  return { status: ERROR_CODES[code].status, code, type, en: `The gateway: ${en}`, es: `El gateway: ${es}` };
});

const COUNT = { type: 'integer', minimum: 0 } as const;

/** The headers of responses, by the name of their component. */
const HEADERS: Readonly<Record<string, readonly [name: string, en: string, es: string, schema: JsonSchema]>> = {
  RequestId: [
    'X-Request-Id',
    'Unique identifier of the request, created by the service; include it when you ask for help',
    'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
    { type: 'string', format: 'uuid' },
  ],
  CacheControl: [
    'Cache-Control',
    'The response must not be stored',
    'La respuesta no debe almacenarse',
    { type: 'string', const: RESPONSE_HEADERS['Cache-Control'] },
  ],
  ContentTypeOptions: [
    'X-Content-Type-Options',
    'The content has the type in `Content-Type`; a browser must not guess another type',
    'El contenido tiene el tipo de `Content-Type`; un navegador no debe deducir otro tipo',
    { type: 'string', const: RESPONSE_HEADERS['X-Content-Type-Options'] },
  ],
  TransportSecurity: [
    'Strict-Transport-Security',
    'A browser uses only HTTPS for this host for a year; without effect over HTTP, as on your own machine',
    'Un navegador usa solo HTTPS para este host durante un año; sin efecto sobre HTTP, como en su propia máquina',
    { type: 'string', const: RESPONSE_HEADERS['Strict-Transport-Security'] },
  ],
  ContentSecurity: [
    'Content-Security-Policy',
    'A browser that shows the response does not load anything for it, and does not show it in a frame',
    'Un navegador que muestra la respuesta no carga nada para ella ni la muestra dentro de un marco',
    { type: 'string', const: RESPONSE_HEADERS['Content-Security-Policy'] },
  ],
  RateLimitLimit: [
    'X-RateLimit-Limit',
    'Maximum requests in the current window',
    'Máximo de solicitudes en la ventana actual',
    COUNT,
  ],
  RateLimitRemaining: [
    'X-RateLimit-Remaining',
    'Requests left in the window; the maximum if the caller is unknown',
    'Solicitudes que quedan en la ventana; el máximo si no se sabe quién llama',
    COUNT,
  ],
  RateLimitReset: [
    'X-RateLimit-Reset',
    'Unix timestamp in seconds when the window resets; a full window from now if the caller is unknown',
    'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora si no se sabe quién llama',
    COUNT,
  ],
  RetryAfter: ['Retry-After', 'Seconds to wait', 'Segundos de espera', { type: 'integer', minimum: 1 }],
};

/** The suffix of the optional components of rate headers. The gateway does not know the limits of users. */
const OPTIONAL_SUFFIX = 'IfAny';

/**
 * Builds the components of all headers, then the optional components of rate headers. Their examples are the first
 * recorded values.
 */
export function buildHeaderComponents(recordedHeaders: readonly Readonly<Record<string, string>>[]) {
  const components: Record<string, object> = {};
  const optionalComponents: Record<string, object> = {};
  for (const [component, [name, en, es, schema]] of Object.entries(HEADERS)) {
    const values = recordedHeaders.flatMap((headers) => headers[name.toLowerCase()] ?? []);
    const example = schema.type === 'integer' ? Number(values[0]) : values[0];
    components[component] = { required: true, description: { en, es }, schema, example };
    if (!isRateHeader(component)) continue;
    const description = {
      en: `${en}; absent in a response of the gateway itself`,
      es: `${es}; ausente en una respuesta del gateway mismo`,
    };
    optionalComponents[component + OPTIONAL_SUFFIX] = { required: false, description, schema, example };
  }
  return { ...components, ...optionalComponents };
}

/** Returns the headers of a response as references to their components. */
function referToHeaders(status: number, hasRateHeaders: boolean): Record<string, { readonly $ref: string }> {
  const isOfGateway = GATEWAY_RESPONSES.some((response) => response.status === status);
  const references: Record<string, { readonly $ref: string }> = {};
  for (const [component, [name]] of Object.entries(HEADERS)) {
    if (isRateHeader(component) && !hasRateHeaders) continue;
    if (component === 'RetryAfter' && status !== 429) continue;
    const suffix = isRateHeader(component) && isOfGateway ? OPTIONAL_SUFFIX : '';
    references[name] = { $ref: `#/components/headers/${component}${suffix}` };
  }
  return references;
}

function isRateHeader(component: string): boolean {
  return component.startsWith('RateLimit');
}

/** A response of an operation: its success, or one of its errors. */
interface ResponseVariant {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: JsonSchema;
  readonly hasRateHeaders: boolean;
}

export function toJsonContent(schema: JsonSchema) {
  return { 'application/json': { schema } };
}

/** Builds all responses of an operation by status: its success, its errors, and the errors of the gateway itself. */
export function buildResponses(success: JsonSchema, failures: readonly ResponseVariant[], schemas: Schemas) {
  const gatewayFailures = GATEWAY_RESPONSES.map(({ status, code }) => {
    return { status, kind: code, schema: schemas.refer(ERROR_ENVELOPES[code]), hasRateHeaders: false };
  });
  const variants: readonly ResponseVariant[] = [
    { status: 200, kind: 'Success', schema: success, hasRateHeaders: true },
    ...failures,
    ...gatewayFailures,
  ];
  const responses: Record<string, ReturnType<typeof combineVariants>> = {};
  for (const [status, variantsOfStatus] of Map.groupBy(variants, (variant) => variant.status)) {
    responses[status] = combineVariants(status, variantsOfStatus);
  }
  return responses;
}

/** Combines the responses with the same status to one, whose body has the schema of any of them. */
function combineVariants(status: number, variants: readonly ResponseVariant[]) {
  const kinds = [...new Set(variants.map(({ kind }) => kind))].join(', ');
  const description: Text = { en: kinds, es: kinds.replace('Success', 'Éxito') };
  const hasRateHeaders = variants.some((variant) => variant.hasRateHeaders);
  // The function and the gateway can return the same error.
  const schemas = [...new Map(variants.map(({ schema }) => [JSON.stringify(schema), schema])).values()];
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return { description, headers: referToHeaders(status, hasRateHeaders), content: toJsonContent(schema) };
}
