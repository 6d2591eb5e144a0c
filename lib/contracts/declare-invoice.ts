import type { FromSchema } from 'json-schema-to-ts';
import type { DeclarationRequest } from '../domain/declaration.ts';
import type { Contract } from './contract.ts';
import { amount, declarationData, invoiceId } from './fields.ts';

/** The body of declare, and an item of a batch; null counts as not sent, and an empty text clears. */
export const declarationRequest = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: {
    invoice_id: invoiceId,
    amount,
    notes: { type: ['string', 'null'], maxLength: 2000, description: 'Free text; empty clears it' },
    invoice_number: {
      type: ['string', 'null'],
      maxLength: 60,
      description: "Supplier's own invoice number; empty clears it",
    },
    invoice_date: {
      type: ['string', 'null'],
      format: 'iso8601OrEmpty',
      description: "Supplier's own invoice date, ISO 8601; empty clears it",
    },
    tax_pct: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: 100,
      description: 'Tax percentage; it cannot be cleared',
    },
  },
} as const;

/** The body of declare. */
export type DeclareInvoiceInput = FromSchema<typeof declarationRequest>;

/** The declaration that a valid body asks for. */
export function toDeclarationRequest(input: DeclareInvoiceInput): DeclarationRequest {
  return {
    invoiceId: input.invoice_id,
    amount: input.amount,
    notes: textOf(input.notes),
    invoiceNumber: textOf(input.invoice_number),
    invoiceDate: textOf(input.invoice_date),
    taxPct: input.tax_pct ?? undefined,
  };
}

/** A text to keep (undefined), to clear (null) or to replace. */
function textOf(sent: string | null | undefined): string | null | undefined {
  return sent === '' ? null : (sent ?? undefined);
}

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const declareInvoiceContract = {
  name: 'declare-invoice',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare',
  tag: 'Declarations',
  summary: 'Declare the amount of one invoice, or change what was declared',
  description:
    'An upsert: declaring again replaces what is sent, clears the texts and the date that are sent empty, and keeps ' +
    'the optional fields that are not sent, or are null; what changes nothing is answered the same, and not written. ' +
    'A settled invoice (LIQ) cannot be declared. Once the company has rejected or adjusted the invoice (REC, AJU), ' +
    'nothing is approved automatically until it changes the state. ' +
    'After a 500 its message says whether the outcome is known; to declare again does no harm.',
  access: 'write',
  source: 'body',
  request: declarationRequest,
  response: declarationData,
  paged: false,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
