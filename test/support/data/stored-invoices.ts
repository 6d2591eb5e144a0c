import { decimal } from '../../../lib/domain/money.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { buildPartitionCondition, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { buildHistoryPartition, buildInvoicePartition } from '../../../lib/tables/keys.ts';
import type { TestEngine } from '../engine/engine.ts';

type Item = Record<string, unknown>;

async function readPartition({ client }: TestEngine, TableName: string, pk: string): Promise<Item[]> {
  const items = await collectPages(queryPages<Item>(client, { TableName, ...buildPartitionCondition(pk) }));
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toPlainValue(value)])),
  );
}

// The reads return a stored number as an object that contains its digits.
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

/** Reads the history of an invoice, oldest change first. `version` is the version that the change created. */
export async function readStoredHistory(engine: TestEngine, scope: SupplierScope, invoiceId: string): Promise<Item[]> {
  const items = await readPartition(engine, engine.tables.Declarations, buildHistoryPartition(scope, invoiceId));
  return items.map((item) => ({ ...item, version: item['sk'] }));
}

/** Reads the stored declarations of an invoice with their attributes, oldest revision first. */
export async function readStoredRevisions(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
): Promise<Item[]> {
  return selectWithPart(await readStoredHistory(engine, scope, invoiceId), 'declaration');
}

/** Reads the stored state changes of an invoice with their attributes, oldest first. */
export async function readStoredStateChanges(
  engine: TestEngine,
  scope: SupplierScope,
  invoiceId: string,
): Promise<Item[]> {
  return selectWithPart(await readStoredHistory(engine, scope, invoiceId), 'state_change');
}

/** Selects the changes with this part, and adds the attributes of the part to each change. */
function selectWithPart(changes: readonly Item[], part: 'declaration' | 'state_change'): Item[] {
  return changes.filter((change) => part in change).map((change) => ({ ...change, ...(change[part] as Item) }));
}

function isInvoice(item: Item): boolean {
  return 'sort_date' in item;
}
