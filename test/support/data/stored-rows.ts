import { expect } from 'vitest';
import { toListEntry } from '../../../lib/domain/list-entry.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { addFingerprints, fromSum, NO_FINGERPRINT } from '../../../lib/runtime/fingerprints.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import { type InvoiceItem, buildRows, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { buildInvoicePartition } from '../../../lib/tables/keys.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { TestEngine } from '../engine/engine.ts';

type Item = Key & Record<string, unknown>;

/** Reads the rows, counters and invoices of a supplier from all partitions of Invoices. */
async function readSupplier({ client, tables }: TestEngine, scope: SupplierScope) {
  const base = buildInvoicePartition(scope);
  const scan = {
    TableName: tables.Invoices,
    FilterExpression: 'begins_with(pk, :pk)',
    ExpressionAttributeValues: { ':pk': base },
  };
  const items = await collectPages(scanPages<Item>(client, scan));
  return {
    rows: items.filter(({ pk }) => pk.startsWith(`${base}#`)),
    counters: items.filter(({ pk, sk }) => pk === base && sk.startsWith('COUNT#')),
    invoices: items
      .filter((item) => item.pk === base && 'sort_date' in item)
      .map((item) => toInvoice(item as unknown as InvoiceItem)),
  };
}

/** Expects that the stored rows and fingerprints of a supplier are exactly those of its invoices. */
export async function expectConsistentRows(engine: TestEngine, scope: SupplierScope): Promise<void> {
  const { rows, counters, invoices } = await readSupplier(engine, scope);
  const expectedRows = invoices.flatMap((invoice) => buildRows(scope, invoice));
  expect(indexByKey(rows)).toEqual(indexByKey(expectedRows));

  const fingerprints = new Map<string, number>();
  const add = (day: string, fingerprint: number) =>
    fingerprints.set(day, addFingerprints(fingerprints.get(day) ?? NO_FINGERPRINT, fingerprint));
  for (const { sk, ...attributes } of counters) {
    for (const [name, value] of Object.entries(attributes)) {
      if (/^\d\d$/.test(name)) add(`${sk.split('#')[1]}-${name}`, fromSum(String(value)));
    }
  }
  const expectedFingerprints = new Map<string, number>();
  for (const [day, dayInvoices] of Map.groupBy(invoices, ({ sortDate }) => sortDate.slice(0, 10))) {
    expectedFingerprints.set(day, buildDayIndex(dayInvoices.map(toListEntry)).fingerprint);
  }
  const stored = [...fingerprints].filter(([, fingerprint]) => fingerprint !== NO_FINGERPRINT);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expectedFingerprints));
}

function indexByKey(items: readonly Key[]) {
  return Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, item]));
}
