import type { FromSchema } from 'json-schema-to-ts';
import { type DeclarationRequest, VISIBLE_CHARACTER } from '../domain/declaration.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Contract } from './contract.ts';
import { amount, invoiceId } from './fields.ts';

/** The schema of a declaration, alone or in a batch. Null counts as not sent, and an empty text clears the value. */
export const declarationRequest = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: {
    invoice_id: invoiceId,
    amount,
    notes: {
      type: ['string', 'null'],
      maxLength: LIMITS.notesLength,
      description: 'Free text; a text without visible characters clears it',
    },
    invoice_number: {
      type: ['string', 'null'],
      maxLength: LIMITS.invoiceNumberLength,
      format: 'visibleOrEmpty',
      description: "Supplier's own invoice number, without control characters; an empty text clears it",
    },
    invoice_date: {
      type: ['string', 'null'],
      format: 'iso8601OrEmpty',
      description: "Supplier's own invoice date, ISO 8601; an empty text clears it",
    },
    tax_pct: {
      type: ['number', 'null'],
      minimum: 0,
      maximum: LIMITS.taxPctMax,
      description: 'Tax percentage; it cannot be cleared',
    },
  },
} as const;

export type DeclareInvoiceInput = FromSchema<typeof declarationRequest>;

/** Converts a valid input. An absent property is undefined, and an empty text is null. */
export function toDeclarationRequest(input: DeclareInvoiceInput): DeclarationRequest {
  return {
    invoiceId: input.invoice_id,
    amount: input.amount,
    notes: toTextChange(input.notes),
    invoiceNumber: toTextChange(input.invoice_number),
    invoiceDate: toTextChange(input.invoice_date),
    taxPct: input.tax_pct ?? undefined,
  };
}

/** Returns undefined to keep a text, null to clear it (without visible characters), or the new text. */
function toTextChange(inputText: string | null | undefined): string | null | undefined {
  if (typeof inputText !== 'string') return undefined;
  return VISIBLE_CHARACTER.test(inputText) ? inputText : null;
}

export const declareInvoiceContract = {
  name: 'declare-invoice',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare',
  tag: 'Declarations',
  access: 'write',
  source: 'body',
  request: declarationRequest,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
