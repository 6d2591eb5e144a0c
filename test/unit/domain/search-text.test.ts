import { describe, expect, it } from 'vitest';
import { foldText, searchTextOf } from '../../../lib/domain/search-text.ts';
import { aDeclaration, anInvoice } from '../../support/data/seed-invoices.ts';

const invoice = anInvoice({
  invoiceId: '1001',
  serviceNumber: 'SRV-501',
  accountName: 'Transportes Córdoba',
  declaration: aDeclaration({ notes: 'hidden note' }),
  providerInvoice: { number: 'FAC-Ñ-7', date: '2026-07-01' },
});

describe('folding', () => {
  it.each([
    ['Córdoba', 'cordoba'],
    ['CÓRDOBA', 'cordoba'],
    ['Cordoba\u0301', 'cordoba'],
    ['Güemes Ñuñoa', 'guemes nunoa'],
    ['FAC-0001/a', 'fac-0001/a'],
    ['two\tlines\nof text', 'two lines of text'],
    ['', ''],
  ])('makes %j and %j the same', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('the text in which a search looks', () => {
  it('holds service number, account name, provider invoice number and invoice id, and nothing else', () => {
    const lines = searchTextOf(invoice).split('\n');
    expect(lines).toEqual(['srv-501', 'transportes cordoba', 'fac-n-7', '1001']);
  });

  it('leaves out what the invoice does not have', () => {
    const text = searchTextOf({
      ...invoice,
      serviceNumber: null,
      accountName: null,
      providerInvoice: { number: null, date: null },
    });
    expect(text.trim()).toBe('1001');
  });
});
