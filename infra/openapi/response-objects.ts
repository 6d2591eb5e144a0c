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
  /** The code of the error, or `success`. */
  readonly code: string;
  readonly schema: JsonSchema;
}

/** A reference to a part of the document, such as `#/components/schemas/Tolerance`. */
type Reference = { readonly $ref: string };

/** Builds the JSON content of a request or a response. `getValue` returns the request or the response of an example. */
export function buildJsonContent(
  schema: JsonSchema,
  examples: readonly OperationExample[],
  getValue: (example: OperationExample) => unknown,
) {
  if (examples.length === 0) return { 'application/json': { schema } };
  const examplesByName: Record<string, { readonly summary: Text; readonly value: unknown }> = {};
  for (const [index, example] of examples.entries()) {
    examplesByName[`${example.code}-${index + 1}`] = { summary: example.heading, value: getValue(example) };
  }
  return { 'application/json': { schema, examples: examplesByName } };
}

/** Lists the errors of the gateway itself, which every operation can return. */
export function listGatewayErrors(schemas: Schemas): ResponseVariant[] {
  return OPERATION_GATEWAY_RESPONSES.map(({ status, code }) => {
    return { status, code, schema: schemas.refer(ERROR_ENVELOPES[code]) };
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
  const codes = [...new Set(variants.map(({ code }) => code))];
  const describe = (success: string) => codes.map((code) => (code === 'success' ? success : code)).join(', ');
  const description: Text = { en: describe('Success'), es: describe('Éxito') };
  // The function and the gateway can return the same error. A map keeps equal schemas only once.
  const uniqueSchemas = new Map(variants.map(({ schema }) => [JSON.stringify(schema), schema]));
  const schemas = [...uniqueSchemas.values()];
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return { description, headers, content: buildJsonContent(schema, examples, ({ bodies }) => bodies) };
}
