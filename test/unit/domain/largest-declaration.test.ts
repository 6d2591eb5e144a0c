import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { declareAmount } from '../../../lib/domain/declaration.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { withLargestDeclaration } from '../../../lib/domain/largest-declaration.ts';
import { foldText } from '../../../lib/domain/search-text.ts';
import { fromInvoice } from '../../../lib/storage/items/invoice-items.ts';
import { itemBytes } from '../../../lib/storage/dynamodb/item-size.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, userId: '7', requestId: 'r', now: new Date(0), newDeclarationId: () => '9'.repeat(19) };
const invoice = anInvoice();
const { declaration: largest, providerInvoice } = withLargestDeclaration(invoice);
const { notes, invoice_number: number, amount, tax_pct: tax } = declarationRequest.properties;

const text = (maxLength: number) =>
  fc.option(fc.string({ unit: 'binary', maxLength, size: 'max' }), { nil: undefined });

describe('the largest declaration', () => {
  it('has texts and numbers as long as the interface takes them', () => {
    expect(Array.from(largest?.notes ?? '')).toHaveLength(notes.maxLength);
    expect(Array.from(providerInvoice.number ?? '')).toHaveLength(number.maxLength);
    expect(isIsoDate(providerInvoice.date ?? '')).toBe(true);
    expect(isIsoDate(`${providerInvoice.date}0`)).toBe(false);
    expect(largest?.amount.toNumber()).toBeLessThanOrEqual(amount.maximum);
    expect(largest?.taxPct?.toNumber()).toBeLessThanOrEqual(tax.maximum);
  });

  it('has the character in its number that takes most bytes, stored and folded', () => {
    const bytesOf = (character: string) => Buffer.byteLength(character) + Buffer.byteLength(foldText(character));
    let most = 0;
    for (let code = 0; code <= 0x10ffff; code++) most = Math.max(most, bytesOf(String.fromCodePoint(code)));
    expect(bytesOf(providerInvoice.number?.slice(0, 2) ?? '')).toBe(most);
  });

  it('makes an invoice larger than any other declaration', () => {
    const bytes = itemBytes(fromInvoice(scope, withLargestDeclaration(invoice)));
    const requests = fc.record({
      invoiceId: fc.constant(invoice.invoiceId),
      amount: fc.double({ ...amount, min: amount.minimum, max: amount.maximum, noNaN: true }),
      notes: text(notes.maxLength),
      invoiceNumber: text(number.maxLength),
      taxPct: fc.option(fc.double({ min: tax.minimum, max: tax.maximum, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(requests, (request) => {
        const declared = declareAmount(invoice, request, context);
        expect(itemBytes(fromInvoice(scope, declared.invoice))).toBeLessThanOrEqual(bytes);
      }),
    );
  });
});
