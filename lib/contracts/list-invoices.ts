import type { FromSchema } from 'json-schema-to-ts';
import { STATE_CODES } from '../domain/invoice-states.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Contract } from './contract.ts';
import { pageParameters } from './fields.ts';
import { nonEmptyString } from './schemas.ts';

const buildDateSchema = (description: string) => ({ ...nonEmptyString(description), format: 'iso8601' }) as const;

const request = {
  type: 'object',
  required: ['startdate', 'enddate'],
  properties: {
    startdate: buildDateSchema('Start of the range, ISO 8601 (a date: its first instant, UTC)'),
    enddate: buildDateSchema('End of the range, ISO 8601 (its last instant: of a day in UTC, a minute or a second)'),
    // Only a legacy body can contain null, which counts as not sent.
    status: { type: ['string', 'null'], enum: [...STATE_CODES, null], description: 'Invoice state code' },
    search: {
      type: ['string', 'null'],
      maxLength: LIMITS.searchLength,
      description: 'Text in service number, account name, provider invoice number or invoice id',
    },
    changed_since: {
      type: ['string', 'null'],
      format: 'iso8601OrEmptyInQuery',
      description: `Only invoices whose latest change is not before this time, ISO 8601 (a date: its first instant, UTC). A change becomes visible up to ${LIMITS.changeDelaySeconds} seconds after its time`,
    },
    ...pageParameters,
  },
} as const;

export type ListInvoicesInput = FromSchema<typeof request, { keepDefaultedPropertiesOptional: true }>;

export const listInvoicesContract = {
  name: 'list-invoices',
  method: 'GET',
  path: '/apidev/v1/supplier-portal/invoices',
  tag: 'Invoices',
  access: 'read',
  source: 'parameters',
  request,
  errors: ['INVALID_DATE_RANGE'],
} as const satisfies Contract;
