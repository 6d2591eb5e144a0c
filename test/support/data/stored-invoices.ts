import { expect } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { buildPartitionCondition, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import { buildDeclarationPartition, buildInvoicePartition, buildStateChangePrefix } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';
import { expectRightRows } from './stored-rows.ts';

type Item = Record<string, unknown>;

async function partition({ client }: TestEngine, TableName: string, pk: string): Promise<Item[]> {
  const items = await collectPages(queryPages<Item>(client, { TableName, ...buildPartitionCondition(pk) }));
  return items.map((item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)])));
}

// Stored numbers come as objects that hold their digits.
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value && typeof value.value === 'string') return decimal(value.value).toNumber();
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** The invoices of a supplier as they are stored, by invoice id. */
export async function storedInvoices(engine: TestEngine, scope: SupplierScope): Promise<Map<string, Item>> {
  const items = await partition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
  return new Map(items.filter(isInvoice).map((item) => [item['sk'] as string, item]));
}

/** The declaration history of an invoice as it is stored, oldest revision first. */
export function storedRevisions(engine: TestEngine, scope: SupplierScope, invoiceId: string): Promise<Item[]> {
  return partition(engine, engine.tables.Declarations, buildDeclarationPartition(scope, invoiceId));
}

/** The state history of an invoice as it is stored, oldest change first. */
export async function storedStateChanges(engine: TestEngine, scope: SupplierScope, invoiceId: string): Promise<Item[]> {
  const items = await partition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
  return items.filter((item) => (item['sk'] as string).startsWith(buildStateChangePrefix(invoiceId)));
}

/**
 * The day counters of a supplier that are not 0, as `2026-03-15 PEN`. Expects that they, its rows and its fingerprints
 * are those of its invoices.
 */
export async function rightCounters(
  engine: TestEngine,
  scope: SupplierScope,
): Promise<Readonly<Record<string, number>>> {
  await expectRightRows(engine, scope);
  const items = await partition(engine, engine.tables.Invoices, buildInvoicePartition(scope));
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
  const counted = [...Map.groupBy(counters, (counter) => counter)].map(([counter, of]) => [counter, of.length]);
  const found = Object.fromEntries([...stored].filter(([, count]) => count !== 0));
  expect(found).toEqual(Object.fromEntries(counted));
  return found;
}

/** What the histories of these invoices hold, by request id: each declaration as `<supplier> <invoice> <revision>`. */
export async function writtenByRequest(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const histories = invoiceIds.map(async (id) =>
    (await storedRevisions(engine, scope, id)).map(({ request_id: requestId, sk }) => ({
      requestId: String(requestId),
      place: `${scope.supplierId} ${id} ${String(sk)}`,
    })),
  );
  const written = Map.groupBy((await Promise.all(histories)).flat(), ({ requestId }) => requestId);
  return new Map([...written].map(([requestId, revisions]) => [requestId, revisions.map(({ place }) => place)]));
}

/** What is found of a request, as `writtenByRequest` shows it. */
export async function foundOfRequest({ client, tables }: TestEngine, requestId: string): Promise<string[]> {
  const found = await createDeclarationTable(client, tables.Declarations).findByRequest(requestId);
  return found.map(({ scope, revision }) => `${scope.supplierId} ${revision.invoiceId} ${revision.revision}`);
}

function isInvoice(item: Item): boolean {
  return 'sort_date' in item;
}
