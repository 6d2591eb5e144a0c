import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { ERROR_ENVELOPES } from '../../lib/contracts/fields.doc.ts';
import type { Text } from '../../lib/domain/language.ts';
import { OPERATION_GATEWAY_RESPONSES } from '../gateway-errors.ts';
import { RESPONSE_HEADERS } from './document-parts.ts';
import type { OperationExample } from './examples.ts';
import type { Schemas } from './schemas.ts';

/** A success or an error of an operation. Several errors can have the same status. */
export interface ResponseVariant {
  readonly status: number;
  /** `Success`, or the code of the error. */
  readonly kind: string;
  readonly schema: JsonSchema;
}

/** A reference to a part of the document, such as `#/components/schemas/Tolerance`. */
type Reference = { readonly $ref: string };

/** Builds a JSON content whose examples are the inputs of requests or the bodies of responses. */
export function toJsonContent(schema: JsonSchema, examples: readonly OperationExample[], part: 'input' | 'bodies') {
  const namedExamples: Record<string, { readonly summary: Text; readonly value: unknown }> = {};
  for (const [index, example] of examples.entries()) {
    namedExamples[`${example.code}-${index + 1}`] = { summary: example.heading, value: example[part] };
  }
  return { 'application/json': { schema, examples: examples.length > 0 ? namedExamples : undefined } };
}

/** Lists the errors of the gateway itself, which every operation can return. */
export function listGatewayErrors(schemas: Schemas): ResponseVariant[] {
  return OPERATION_GATEWAY_RESPONSES.map(({ status, code }) => {
    return { status, kind: code, schema: schemas.refer(ERROR_ENVELOPES[code]) };
  });
}

/** Builds all responses of an operation by status. */
export function buildResponses(
  variants: readonly ResponseVariant[],
  examples: readonly OperationExample[],
  { canReportIgnoredFields }: { readonly canReportIgnoredFields: boolean },
) {
  const responses: Record<string, ReturnType<typeof combineVariants>> = {};
  for (const [status, variantsOfStatus] of Map.groupBy(variants, (variant) => variant.status)) {
    const examplesOfStatus = examples.filter((example) => example.status === status);
    const headers = referToHeaders(status, canReportIgnoredFields);
    responses[status] = combineVariants(variantsOfStatus, examplesOfStatus, headers);
  }
  return responses;
}

function referToHeaders(status: number, canReportIgnoredFields: boolean): Record<string, Reference> {
  const references: Record<string, Reference> = {};
  for (const name of Object.keys(RESPONSE_HEADERS)) {
    if (name === 'Retry-After' && status !== 429) continue;
    if (name === 'X-Ignored-Fields' && !canReportIgnoredFields) continue;
    references[name] = { $ref: `#/components/headers/${name}` };
  }
  return references;
}

/** Combines the variants with the same status to one response, whose body has the schema of one of the variants. */
function combineVariants(
  variants: readonly ResponseVariant[],
  examples: readonly OperationExample[],
  headers: Readonly<Record<string, Reference>>,
) {
  const kinds = [...new Set(variants.map(({ kind }) => kind))].join(', ');
  const description: Text = { en: kinds, es: kinds.replace('Success', 'Éxito') };
  // The function and the gateway can return the same error. A map keeps equal schemas only once.
  const uniqueSchemas = new Map(variants.map(({ schema }) => [JSON.stringify(schema), schema]));
  const [firstSchema = {}, ...otherSchemas] = uniqueSchemas.values();
  const schema = otherSchemas.length === 0 ? firstSchema : { anyOf: [firstSchema, ...otherSchemas] };
  return { description, headers, content: toJsonContent(schema, examples, 'bodies') };
}
