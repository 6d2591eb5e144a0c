import { expect } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { buildPartitionCondition, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import { buildDeclarationPartition, buildInvoicePartition, buildStateChangePrefix } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';
import { expectConsistentRows } from './stored-rows.ts';

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
 * Reads the day counters of a supplier that are not 0, by names such as `2026-03-15 PEN`. Expects that counters, rows
 * and fingerprints are consistent with the invoices.
 */
export async function readConsistentCounters(
  engine: TestEngine,
  scope: SupplierScope,
): Promise<Readonly<Record<string, number>>> {
  await expectConsistentRows(engine, scope);
  const items = await readPartition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
  const stored = new Map<string, number>();
  for (const item of items.filter(({ sk }) => (sk as string).startsWith('COUNT#'))) {
    const month = (item['sk'] as string).split('#')[1];
    for (const [name, value] of Object.entries(item)) {
      const [, day, state] = /^(\d\d)([A-Z]{3})$/.exec(name) ?? [];
      if (day === undefined) continue;
      const counter = `${month}-${day} ${state}`;
      stored.set(counter, (stored.get(counter) ?? 0) + (value as number));
    }
  }
  const counters = items
    .filter(isInvoice)
    .map((item) => `${(item['sort_date'] as string).slice(0, 10)} ${item['state_code'] as string}`);
  const expected = [...Map.groupBy(counters, (counter) => counter)].map(([counter, group]) => [counter, group.length]);
  const storedCounters = Object.fromEntries([...stored].filter(([, count]) => count !== 0));
  expect(storedCounters).toEqual(Object.fromEntries(expected));
  return storedCounters;
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
