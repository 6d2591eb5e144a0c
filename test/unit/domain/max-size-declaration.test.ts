import { expect, it } from 'vitest';
import { declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { declareAmount } from '../../../lib/domain/declaration.ts';
import { foldText } from '../../../lib/domain/list-entry.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { computeItemBytes } from '../../../lib/tables/dynamodb/values.ts';
import {
  computeMaxItemBytes,
  fromInvoice,
  MAX_DECLARATION_BYTES,
  buildRows,
} from '../../../lib/tables/invoice-items.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const { notes, invoice_number: number } = declarationRequest.properties;
const tolerance = { mode: 'ABS', pct: null, abs: decimal('2e12'), autoApprove: true, source: 'proveedor' } as const;

/** Finds the character with the largest sum of its own bytes and its folded bytes. */
function findLargestCharacter(): string {
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const countBytes = (character: string) => Buffer.byteLength(character) + Buffer.byteLength(foldText(character));
  return characters.reduce((largest, one) => (countBytes(one) > countBytes(largest) ? one : largest));
}

it('the largest declaration adds at most MAX_DECLARATION_BYTES to the items of an invoice', () => {
  const invoice = { ...buildInvoice({ systemAmount: decimal('2e12'), state: 'REC' }), version: 9_999_999_999 };
  const request = {
    invoiceId: invoice.invoiceId,
    amount: 999_999_999_998.9999,
    notes: '\u{10ffff}'.repeat(notes.maxLength),
    invoiceNumber: findLargestCharacter().repeat(number.maxLength),
    invoiceDate: '2000-01-01T00:00:00.123456789+00:00',
    taxPct: 99.999999,
  };
  const context = { tolerance, userId: '7', requestId: 'r', now: new Date(0), newDeclarationId: () => '9'.repeat(19) };
  const declared = declareAmount(invoice, request, context).invoice;
  const sizes = [fromInvoice(scope, declared), ...buildRows(scope, declared)].map(computeItemBytes);
  expect(Math.max(...sizes)).toBeGreaterThan(9_000);
  expect(computeMaxItemBytes(scope, invoice)).toBeGreaterThan(Math.max(...sizes) + 500);
  expect(computeMaxItemBytes(scope, declared)).toBeLessThan(MAX_DECLARATION_BYTES + 1_000);
});
