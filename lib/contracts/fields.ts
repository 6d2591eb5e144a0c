import { LIMITS } from '../domain/limits.ts';
import { SMALLEST_STORED } from '../domain/money.ts';

export const invoiceId = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: 'Invoice identifier, digits only',
} as const;

export const amount = {
  type: 'number',
  minimum: 0,
  maximum: Number(LIMITS.amountMax),
  // A positive amount below SMALLEST_STORED would be stored as 0.
  not: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: Number(SMALLEST_STORED) },
  description: `Amount, rounded half-up to 6 decimals; 0, or at least ${SMALLEST_STORED}`,
} as const;

/** The parameters of a page of a list. Only a legacy body can contain null, which counts as not sent. */
export const pageParameters = {
  limit: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: LIMITS.pageMax,
    default: LIMITS.pageDefault,
    description: 'Page size',
  },
  offset: {
    type: ['integer', 'null'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Records to skip',
  },
} as const;
