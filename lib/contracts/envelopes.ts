import type { ErrorCode } from '../domain/errors.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { propertyFault } from './fields.ts';
import { count, exactly, filledText } from './schemas.ts';
import { STATUS_OF } from './statuses.ts';

/** The envelope of an error, by its code; details belong to a VALIDATION_ERROR, and to no other. */
export const ERROR_ENVELOPES = Object.fromEntries(
  Object.keys(STATUS_OF).map((code) => [code, errorEnvelope(code as ErrorCode)]),
) as Readonly<Record<ErrorCode, JsonSchema>>;

function errorEnvelope(code: ErrorCode): JsonSchema {
  const details = { type: 'array', minItems: 1, items: propertyFault, description: 'Every invalid property' };
  return exactly({
    success: { const: false },
    error: exactly({
      code: { const: code },
      message: filledText('Human-readable text'),
      ...(code === 'VALIDATION_ERROR' && { details }),
    }),
  });
}

/** `meta` of a list. */
export const pageMeta = exactly({
  total: count('Records matching the query after filters, before paging'),
  limit: count('Page size'),
  offset: count('Offset applied'),
});

/** `meta` of what is no list. */
export const emptyMeta = { type: 'object', maxProperties: 0, description: 'Empty' } as const satisfies JsonSchema;

/** The success envelope of an endpoint. */
export function successEnvelope({ response, paged }: Contract): JsonSchema {
  return exactly({ success: { const: true }, data: response, meta: paged ? pageMeta : emptyMeta });
}
