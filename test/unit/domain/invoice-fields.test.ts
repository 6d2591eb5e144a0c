import { describe, expect, it } from 'vitest';
import { concept, invoiceRow } from '../../../lib/contracts/response-data.ts';
import { toInvoiceDetail, toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { fromInvoice, LISTED_ATTRIBUTES, toInvoice, toListedInvoice } from '../../../lib/tables/invoice-items.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';
import { resources } from '../../rules/resources.ts';

const scope = { tenant: 'demo.example', supplierId: '200' };
const names = Object.keys(invoiceRow.properties);
const listFields = (resource: string) =>
  Object.keys(resources).flatMap((rule) => (rule.startsWith(`${resource}/`) ? [rule.slice(resource.length + 1)] : []));

/** An invoice with a value in every field. */
const completeInvoice = buildInvoice({
  declaration: buildDeclaration({ notes: 'Peaje', taxPct: decimal(21) }),
  providerInvoice: { number: 'FE-1', date: '2026-03-20' },
});

describe('the fields of an invoice', () => {
  it('the fields of an invoice are those of the interface, in its order', () => {
    expect(names).toEqual(listFields('invoice-row'));
    expect(Object.keys(concept.properties)).toEqual(listFields('concept'));
  });

  it('a response has the fields of an invoice in the order of its schema, each with a value', () => {
    const row = toInvoiceRow(completeInvoice);
    expect(Object.keys(row)).toEqual(names);
    expect(Object.values(row)).not.toContain(null);
    const tolerance = selectTolerance(null, null);
    expect(Object.keys(toInvoiceDetail(completeInvoice, tolerance))).toEqual([...names, 'concepts', 'tolerance']);
  });

  it('an invoice is read from its item unchanged', () => {
    expect(toInvoice(fromInvoice(scope, completeInvoice))).toEqual(completeInvoice);
  });

  it('the listed attributes of an item are sufficient for every field of a row', () => {
    const item = fromInvoice(scope, completeInvoice);
    const listed = { ...item };
    for (const name of Object.keys(item)) if (!LISTED_ATTRIBUTES.some((one) => one === name)) delete listed[name];
    expect(toInvoiceRow(toListedInvoice(item.sk, listed))).toEqual(toInvoiceRow(completeInvoice));
  });
});
