import { expect, it } from 'vitest';
import { toDeclarationRequest } from '../../../lib/contracts/declare-invoice.ts';

const required = { invoice_id: '1', amount: 900 };

it.each([
  ['null, which counts as not sent', null, undefined, undefined],
  ['an empty text, which clears the value', '', null, undefined],
  ['a text', 'x', 'x', 21],
])('toDeclarationRequest converts optional fields of a declaration with %s', (_, sent, text, taxPct) => {
  const tax_pct = taxPct ?? null;
  const input = { ...required, notes: sent, invoice_number: sent, invoice_date: sent, tax_pct };
  const texts = { notes: text, invoiceNumber: text, invoiceDate: text };
  expect(toDeclarationRequest(input)).toEqual({ invoiceId: '1', amount: 900, ...texts, taxPct });
});
