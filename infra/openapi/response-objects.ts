import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/fields.doc.ts';
import type { Text } from '../../lib/domain/language.ts';
import { OPERATION_GATEWAY_RESPONSES } from '../gateway-errors.ts';
import type { OperationExample } from './examples.ts';
import type { Schemas } from './schemas.ts';

const COUNT = { type: 'integer', minimum: 0 } as const;

type HeaderRow = readonly [name: string, en: string, es: string, schema: JsonSchema, example: string | number];

/** The headers of responses, by the name of their component. The security headers, which every response has, are omitted. */
const HEADERS: Readonly<Record<string, HeaderRow>> = {
  RequestId: [
    'X-Request-Id',
    'Unique identifier of the request, created by the service; include it when you ask for help',
    'Identificador único de la solicitud, generado por el servicio; indíquelo cuando pida ayuda',
    { type: 'string', format: 'uuid' },
    '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  ],
  RateLimitLimit: [
    'X-RateLimit-Limit',
    'Maximum requests in the current window; absent in a response of the gateway itself',
    'Máximo de solicitudes en la ventana actual; ausente en una respuesta del gateway mismo',
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
  IgnoredFields: [
    'X-Ignored-Fields',
    'Unknown fields of the body, such as `declarations[].invoce_date`, which the service ignored: at most 10, each with percent-encoding and at most 60 characters of its name; absent if there are none',
    'Campos desconocidos del cuerpo, como `declarations[].invoce_date`, que el servicio ignoró: como máximo 10, cada uno con codificación porcentual y como máximo 60 caracteres de su nombre; ausente si no hay ninguno',
    { type: 'string' },
    'invoce_date',
  ],
};

/** Matches headers that a response can omit. The gateway does not know the limits of users, and most bodies have no ignored fields. */
const OPTIONAL_HEADERS = /^X-(RateLimit-|Ignored-Fields$)/;

/** A success or an error of an operation. Several errors can have the same status. */
interface ResponseVariant {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: JsonSchema;
}

/** Builds the components of all headers. */
export function buildHeaderComponents() {
  const components: Record<string, object> = {};
  for (const [component, [name, en, es, schema, example]] of Object.entries(HEADERS)) {
    const required = !OPTIONAL_HEADERS.test(name);
    components[component] = { required, description: { en, es }, schema, example };
  }
  return components;
}

/** Builds a content whose examples are the inputs of requests or the bodies of responses. */
export function toJsonContent(schema: JsonSchema, examples: readonly OperationExample[], part: 'input' | 'bodies') {
  const namedExamples: Record<string, { readonly summary: Text; readonly value: unknown }> = {};
  for (const [index, example] of examples.entries()) {
    namedExamples[`${example.code}-${index + 1}`] = { summary: example.heading, value: example[part] };
  }
  return { 'application/json': { schema, examples: namedExamples } };
}

/** Builds all responses of an operation, including the errors of the gateway itself, by status. */
export function buildResponses(
  success: JsonSchema,
  failures: readonly ResponseVariant[],
  examples: readonly OperationExample[],
  schemas: Schemas,
  canReportIgnoredFields: boolean,
) {
  const gatewayFailures = OPERATION_GATEWAY_RESPONSES.map(({ status, code }) => {
    return { status, kind: code, schema: schemas.refer(ERROR_ENVELOPES[code]) };
  });
  const variants: readonly ResponseVariant[] = [
    { status: 200, kind: 'Success', schema: success },
    ...failures,
    ...gatewayFailures,
  ];
  const responses: Record<string, ReturnType<typeof combineVariants>> = {};
  for (const [status, variantsOfStatus] of Map.groupBy(variants, (variant) => variant.status)) {
    const examplesOfStatus = examples.filter((example) => example.status === status);
    const headers = referToHeaders(status, canReportIgnoredFields);
    responses[status] = combineVariants(variantsOfStatus, examplesOfStatus, headers);
  }
  return responses;
}

function referToHeaders(status: number, canReportIgnoredFields: boolean): Record<string, { readonly $ref: string }> {
  const references: Record<string, { readonly $ref: string }> = {};
  for (const [component, [name]] of Object.entries(HEADERS)) {
    if (name === 'Retry-After' && status !== 429) continue;
    if (name === 'X-Ignored-Fields' && !canReportIgnoredFields) continue;
    references[name] = { $ref: `#/components/headers/${component}` };
  }
  return references;
}

/** Combines the variants with the same status to one response, whose body has the schema of one of the variants. */
function combineVariants(
  variants: readonly ResponseVariant[],
  examples: readonly OperationExample[],
  headers: ReturnType<typeof referToHeaders>,
) {
  const kinds = [...new Set(variants.map(({ kind }) => kind))].join(', ');
  const description: Text = { en: kinds, es: kinds.replace('Success', 'Éxito') };
  // The function and the gateway can return the same error. A map keeps equal schemas only once.
  const uniqueSchemas = new Map(variants.map(({ schema }) => [JSON.stringify(schema), schema]));
  const schemas = [...uniqueSchemas.values()];
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return { description, headers, content: toJsonContent(schema, examples, 'bodies') };
}
