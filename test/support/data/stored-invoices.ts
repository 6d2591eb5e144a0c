import { expect } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toListEntry } from '../../../lib/domain/list-entry.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import { addFingerprints, fromSum, NO_FINGERPRINT } from '../../../lib/runtime/fingerprints.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { buildPartitionCondition, type Key, queryPages, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { buildRows, type InvoiceItem, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import { buildDeclarationPartition, buildInvoicePartition, buildStateChangePrefix } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';

type Item = Record<string, unknown>;

async function readPartition({ client }: TestEngine, TableName: string, pk: string): Promise<Item[]> {
  const items = await collectPages(queryPages<Item>(client, { TableName, ...buildPartitionCondition(pk) }));
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlainValue(value)])),
  );
}

// The document client returns a stored number as an object that contains its digits.
function toPlainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlainValue);
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value && typeof value.value === 'string') return decimal(value.value).toNumber();
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainValue(member)]));
}

/** Reads the stored invoices of a supplier, by invoice id. */
export async function readStoredInvoices(engine: TestEngine, scope: SupplierScope): Promise<Map<string, Item>> {
  const items = await readPartition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
  return new Map(items.filter(isInvoice).map((item) => [item['sk'] as string, item]));
}

/** Reads the stored declarations of an invoice, oldest revision first. */
export function readStoredRevisions(engine: TestEngine, scope: SupplierScope, invoiceId: string): Promise<Item[]> {
  return readPartition(engine, engine.tables.Declarations, buildDeclarationPartition(scope, invoiceId));
}

/** Reads the stored state changes of an invoice, oldest first. */
export async function readStoredStateChanges(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
): Promise<Item[]> {
  const items = await readPartition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
  return items.filter((item) => (item['sk'] as string).startsWith(buildStateChangePrefix(invoiceId)));
}

/**
 * Reads the day counters of a supplier that are not 0, by names such as `2026-03-15 PEN`. Expects that every invoice
 * is stored once, and that the stored rows, counters and fingerprints are exactly those of the listed invoices.
 */
export async function readConsistentCounters(
  { client, tables }: TestEngine,
  scope: SupplierScope,
): Promise<Readonly<Record<string, number>>> {
  const base = buildInvoicePartition(scope);
  const scan = {
    TableName: tables.Invoices,
    FilterExpression: 'begins_with(pk, :pk)',
    ExpressionAttributeValues: { ':pk': base },
  };
  const items = await collectPages(scanPages<Key & Item>(client, scan));
  const ownItems = items.filter(({ pk }) => pk === base);
  const allInvoices = ownItems.filter(isInvoice).map((item) => toInvoice(item as unknown as InvoiceItem));
  // An invoice that is stored twice, also as withdrawn, would be two entries.
  expect(allInvoices).toHaveLength(new Set(allInvoices.map(({ invoiceId }) => invoiceId)).size);
  const invoices = allInvoices.filter(({ isWithdrawn }) => !isWithdrawn);
  const rows = items.filter(({ pk }) => pk.startsWith(`${base}#`));
  expect(indexByKey(rows)).toEqual(indexByKey(invoices.flatMap((invoice) => buildRows(scope, invoice))));

  const counts = new Map<string, number>();
  const fingerprints = new Map<string, number>();
  for (const { sk, ...attributes } of ownItems.filter(({ sk: sortKey }) => sortKey.startsWith('COUNT#'))) {
    for (const [name, value] of Object.entries(attributes)) {
      // Attributes such as 15PEN count the invoices of a day in a state. Attributes such as 15 contain a fingerprint.
      const [, dayOfMonth, state] = /^(\d\d)([A-Z]{3})?$/.exec(name) ?? [];
      if (dayOfMonth === undefined) continue;
      const day = `${sk.split('#')[1]}-${dayOfMonth}`;
      const counter = `${day} ${state}`;
      if (state !== undefined) counts.set(counter, (counts.get(counter) ?? 0) + Number(value));
      else fingerprints.set(day, addFingerprints(fingerprints.get(day) ?? NO_FINGERPRINT, fromSum(String(value))));
    }
  }
  const expectedFingerprints = Map.groupBy(invoices, ({ sortDate }) => sortDate.slice(0, 10));
  expect(toNonZeroRecord(fingerprints)).toEqual(
    mapGroups(expectedFingerprints, (group) => buildDayIndex(group.map(toListEntry)).fingerprint),
  );
  const expectedCounts = Map.groupBy(invoices, ({ sortDate, state }) => `${sortDate.slice(0, 10)} ${state}`);
  expect(toNonZeroRecord(counts)).toEqual(mapGroups(expectedCounts, (group) => group.length));
  return toNonZeroRecord(counts);
}

function indexByKey(items: readonly Key[]) {
  return Object.fromEntries(items.map((item) => [`${item.pk} ${item.sk}`, item]));
}

function toNonZeroRecord(numbers: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...numbers].filter(([, number]) => number !== 0));
}

function mapGroups<Member>(groups: ReadonlyMap<string, Member[]>, toNumber: (group: Member[]) => number) {
  return Object.fromEntries([...groups].map(([name, group]) => [name, toNumber(group)]));
}

/** Reads the declarations of these invoices by request id, each as `<supplier> <invoice> <revision>`. */
export async function readRevisionsByRequest(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const histories = invoiceIds.map(async (id) =>
    (await readStoredRevisions(engine, scope, id)).map(({ request_id: requestId, sk }) => ({
      requestId: String(requestId),
      revisionKey: `${scope.supplierId} ${id} ${String(sk)}`,
    })),
  );
  const byRequest = Map.groupBy((await Promise.all(histories)).flat(), ({ requestId }) => requestId);
  return new Map(
    [...byRequest].map(([requestId, revisions]) => [requestId, revisions.map(({ revisionKey }) => revisionKey)]),
  );
}

/** Finds the declarations of a request with the index, each as `<supplier> <invoice> <revision>`. */
export async function findRevisionsOfRequest({ client, tables }: TestEngine, requestId: string): Promise<string[]> {
  const declarations = await createDeclarationTable(client, tables.Declarations).findByRequest(requestId);
  return declarations.map(({ scope, revision }) => `${scope.supplierId} ${revision.invoiceId} ${revision.revision}`);
}

function isInvoice(item: Item): boolean {
  return 'sort_date' in item;
}
