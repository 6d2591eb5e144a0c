import type { ErrorCode } from '../domain/errors.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { STATUS_OF } from './statuses.ts';

const count = (description: string) => ({ type: 'integer', minimum: 0, description }) as const;

/** One invalid property of a request. */
export const propertyFault = {
  type: 'object',
  additionalProperties: false,
  required: ['property', 'constraints'],
  properties: {
    property: { type: 'string', description: 'Where it stands, such as `declarations[3].amount`' },
    constraints: {
      type: 'object',
      additionalProperties: { type: 'string' },
      minProperties: 1,
      description: 'A message for each constraint that it breaks, by the name of the constraint',
    },
  },
} as const satisfies JsonSchema;

/** The envelope of an error, by its code; details belong to a VALIDATION_ERROR, and to no other. */
export const ERROR_ENVELOPES = Object.fromEntries(
  Object.keys(STATUS_OF).map((code) => [code, errorEnvelope(code as ErrorCode)]),
) as Readonly<Record<ErrorCode, JsonSchema>>;

function errorEnvelope(code: ErrorCode): JsonSchema {
  const hasDetails = code === 'VALIDATION_ERROR';
  return {
    type: 'object',
    additionalProperties: false,
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        additionalProperties: false,
        required: ['code', 'message', ...(hasDetails ? ['details'] : [])],
        properties: {
          code: { const: code },
          message: { type: 'string', minLength: 1, description: 'Human-readable text' },
          ...(hasDetails && {
            details: { type: 'array', minItems: 1, items: propertyFault, description: 'Every invalid property' },
          }),
        },
      },
    },
  };
}

/** `meta` of a list. */
export const pageMeta = {
  type: 'object',
  additionalProperties: false,
  required: ['total', 'limit', 'offset'],
  properties: {
    total: count('Records matching the query after filters, before paging'),
    limit: count('Page size'),
    offset: count('Offset applied'),
  },
} as const satisfies JsonSchema;

/** `meta` of what is no list. */
export const emptyMeta = { type: 'object', maxProperties: 0, description: 'Empty' } as const satisfies JsonSchema;

/** The success envelope of an endpoint. */
export function successEnvelope({ response, paged }: Contract): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['success', 'data', 'meta'],
    properties: {
      success: { const: true },
      data: response,
      meta: paged ? pageMeta : emptyMeta,
    },
  };
}
