import { describe, expect, it } from 'vitest';
import { declarationRequest } from '../../../lib/contracts/declare-invoice.ts';
import { declareAmount } from '../../../lib/domain/declaration.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { withMaxSizeDeclaration } from '../../../lib/tables/invoice-items.ts';
import { foldText } from '../../../lib/domain/list-entry.ts';
import { fromInvoice } from '../../../lib/tables/invoice-items.ts';
import { itemBytes } from '../../../lib/tables/dynamodb/item-size.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, userId: '7', requestId: 'r', now: new Date(0), newDeclarationId: () => '9'.repeat(19) };
const invoice = anInvoice();
const { declaration: largest, providerInvoice } = withMaxSizeDeclaration(invoice);
const { notes, invoice_number: number, amount, tax_pct: tax } = declarationRequest.properties;

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
    const countBytes = (character: string) => Buffer.byteLength(character) + Buffer.byteLength(foldText(character));
    let most = 0;
    for (let code = 0; code <= 0x10ffff; code++) most = Math.max(most, countBytes(String.fromCodePoint(code)));
    expect(countBytes(providerInvoice.number?.slice(0, 2) ?? '')).toBe(most);
  });

  it('makes an invoice as large as the longest of every field do', () => {
    const before = withMaxSizeDeclaration({ ...invoice, systemAmount: decimal('2e12') });
    const request = {
      invoiceId: invoice.invoiceId,
      amount: 999_999_999_998.9999,
      notes: '\u{10ffff}'.repeat(notes.maxLength),
      invoiceNumber: '\u{16d6a}'.repeat(number.maxLength),
      invoiceDate: '2000-01-01T00:00:00.123456789+00:00',
      taxPct: 99.999999,
    };
    const generous = { mode: 'ABS', pct: null, abs: decimal('2e12'), autoApprove: true, source: 'proveedor' } as const;
    const declared = declareAmount(before, request, { ...context, tolerance: generous }).invoice;
    const longest = { ...fromInvoice(scope, declared), version: before.version, declaration_revision: before.version };
    // Two digits fewer: a number of JSON holds no more of such an amount.
    expect(itemBytes(longest)).toBe(itemBytes(fromInvoice(scope, withMaxSizeDeclaration(invoice))) - 1);
  });
});
