import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/fields.doc.ts';
import type { Text } from '../../lib/domain/language.ts';
import { RESPONSE_HEADERS } from '../../lib/http/responses.ts';
import { GATEWAY_RESPONSES } from '../gateway-errors.ts';
import type { Schemas } from './schemas.ts';

/** The errors that the gateway itself can return to any operation. */
export const GATEWAY_FAILURES = GATEWAY_RESPONSES.flatMap(({ cause, ...response }) =>
  cause ? { cause, ...response } : [],
);

const COUNT = { type: 'integer', minimum: 0 } as const;

type HeaderRow = readonly [name: string, en: string, es: string, schema: JsonSchema, example?: string | number];

/** The headers of responses, by the name of their component. The example of a constant is its value. */
const HEADERS: Readonly<Record<string, HeaderRow>> = {
  RequestId: [
    'X-Request-Id',
    'Unique identifier of the request, created by the service; include it when you ask for help',
    'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
    { type: 'string', format: 'uuid' },
    '06b91ca7-3045-40b3-83b9-a45252d78f7d',
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
    30,
  ],
  RateLimitRemaining: [
    'X-RateLimit-Remaining',
    'Requests left in the window; the maximum if the caller is unknown',
    'Solicitudes que quedan en la ventana; el máximo si no se sabe quién llama',
    COUNT,
    29,
  ],
  RateLimitReset: [
    'X-RateLimit-Reset',
    'Unix timestamp in seconds when the window resets; a full window from now if the caller is unknown',
    'Marca de tiempo Unix, en segundos, en que la ventana se reinicia; una ventana completa desde ahora si no se sabe quién llama',
    COUNT,
    1795243130,
  ],
  RetryAfter: ['Retry-After', 'Seconds to wait', 'Segundos de espera', { type: 'integer', minimum: 1 }, 60],
};

/** The suffix of the optional components of rate headers. The gateway does not know the limits of users. */
const OPTIONAL_SUFFIX = 'IfAny';

/** Builds the components of all headers, then the optional components of rate headers. */
export function buildHeaderComponents() {
  const components: Record<string, object> = {};
  const optionalComponents: Record<string, object> = {};
  for (const [component, [, en, es, schema, example = schema['const']]] of Object.entries(HEADERS)) {
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
  const isOfGateway = GATEWAY_FAILURES.some((response) => response.status === status);
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
  const gatewayFailures = GATEWAY_FAILURES.map(({ status, code }) => {
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
