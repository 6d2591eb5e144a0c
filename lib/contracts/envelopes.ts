import { ALL_ERROR_CODES, type ErrorCode } from '../domain/error-codes.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { propertyFault } from './fields.ts';
import { count, closedObject, nonEmptyString } from './schemas.ts';

/** The error envelope of each code; only that of VALIDATION_ERROR has details. */
export const ERROR_ENVELOPES = Object.fromEntries(
  ALL_ERROR_CODES.map((code) => [code, buildErrorEnvelope(code)]),
) as Readonly<Record<ErrorCode, JsonSchema>>;

function buildErrorEnvelope(code: ErrorCode): JsonSchema {
  const details = { type: 'array', minItems: 1, items: propertyFault, description: 'Every invalid property' };
  return closedObject({
    success: { const: false },
    error: closedObject({
      code: { const: code },
      message: nonEmptyString('Human-readable text'),
      ...(code === 'VALIDATION_ERROR' && { details }),
    }),
  });
}

export const pageMeta = closedObject({
  total: count('Records matching the query after filters, before paging'),
  limit: count('Page size'),
  offset: count('Offset applied'),
});

/** `meta` of a response that is not a list. */
export const emptyMeta = { type: 'object', maxProperties: 0, description: 'Empty' } as const satisfies JsonSchema;

export function buildSuccessEnvelope({ response, paged }: Contract): JsonSchema {
  return closedObject({ success: { const: true }, data: response, meta: paged ? pageMeta : emptyMeta });
}
