import { describe, expect, it } from 'vitest';
import { invoiceRow } from '../../../lib/contracts/response-data.ts';
import { toInvoiceDetail, toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import {
  FIELD_DESCRIPTIONS,
  LEGACY_FIELD_NAMES,
  SPANISH_DESCRIPTIONS,
} from '../../../lib/domain/invoice-field-texts.ts';
import { CONCEPT_FIELDS, type FieldSpec, IMPORTED_FIELDS, INVOICE_FIELDS } from '../../../lib/domain/invoice-fields.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { fromDecimal } from '../../../lib/tables/dynamodb/values.ts';
import { fromInvoice, LISTED_ATTRIBUTES, toInvoice, toListedInvoice } from '../../../lib/tables/invoice-items.ts';
import { createItemConverter, mapPropertiesToAttributes } from '../../../lib/tables/stored-fields.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';
import { resources } from '../../rules/resources.ts';

const scope = { tenant: 'demo.example', supplierId: '200' };
const names = INVOICE_FIELDS.map(({ name }) => name);
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
    expect(CONCEPT_FIELDS.map(({ name }) => name)).toEqual(listFields('concept'));
  });

  it('responses and their schema have the fields of an invoice in the order of the table, each with a value', () => {
    const row = toInvoiceRow(completeInvoice);
    expect(Object.keys(row)).toEqual(names);
    expect(Object.values(row)).not.toContain(null);
    expect(Object.keys(invoiceRow.properties)).toEqual(names);
    const tolerance = selectTolerance(null, null);
    expect(Object.keys(toInvoiceDetail(completeInvoice, tolerance))).toEqual([...names, 'concepts', 'tolerance']);
  });

  it('the item of an invoice has the fields under their own names, unless they are the key or computed', () => {
    const specs: readonly FieldSpec[] = INVOICE_FIELDS;
    const storedNames = specs.flatMap(({ name, writer }) => (writer === 'service' ? [] : [name]));
    const item = fromInvoice(scope, completeInvoice);
    expect(names.filter((name) => name in item)).toEqual(storedNames.filter((name) => name !== 'invoice_id'));
    expect(toInvoice(item)).toEqual(completeInvoice);
  });

  it('the listed attributes of an item are sufficient for every field of a row', () => {
    const { sk: id, ...item } = fromInvoice(scope, completeInvoice);
    const listed = Object.fromEntries(Object.entries(item).filter(([name]) => LISTED_ATTRIBUTES.includes(name)));
    expect(toInvoiceRow(toListedInvoice(id, listed))).toEqual(toInvoiceRow(completeInvoice));
  });

  it('each field of an invoice has its own property and texts', () => {
    for (const texts of [FIELD_DESCRIPTIONS, SPANISH_DESCRIPTIONS, LEGACY_FIELD_NAMES]) {
      expect(new Set(Object.values(texts)).size).toBe(names.length);
    }
    expect(new Set(IMPORTED_FIELDS.map(({ property }) => property)).size).toBe(IMPORTED_FIELDS.length);
  });
});

it('a nullable number is stored as a number or as null, and read unchanged', () => {
  const specs = [
    { name: 'toll_amount', kind: 'amount', isNullable: true, property: 'tollAmount' },
    { name: 'toll_name', kind: 'text', isNullable: true, writer: 'service' },
  ] as const;
  const { toAttributes: write, fromAttributes: read } = createItemConverter(mapPropertiesToAttributes(specs));
  expect(write({ tollAmount: null })).toEqual({ toll_amount: null });
  expect(write({ tollAmount: decimal('7.50') })).toEqual({ toll_amount: fromDecimal(decimal('7.5')) });
  expect([decimal('7.50'), null].map((tollAmount) => read(write({ tollAmount })))).toEqual([
    { tollAmount: decimal('7.5') },
    { tollAmount: null },
  ]);
});
