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
