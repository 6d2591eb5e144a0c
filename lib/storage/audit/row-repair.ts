import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Key } from '../dynamodb/key.ts';
import { toInteger } from '../dynamodb/numbers.ts';
import { transact } from '../dynamodb/transact.ts';
import { type InvoiceItem, toInvoice } from '../items/invoice-items.ts';
import { type InvoiceRowItem, rowsOf } from '../items/invoice-row-items.ts';
import { invoiceKey } from '../items/keys.ts';
import { contentOf, nameOfRow, type RowName } from './audited-rows.ts';

/** A row that is not as its invoice says: it is not there, it must not be there, or it holds something else. */
export interface RowFault extends RowName {
  readonly kind: 'missing' | 'stray' | 'differing';
  readonly key: Key;
  /** The row as it must be; null when there must be none. */
  readonly right: InvoiceRowItem | null;
}

/** The rows of an invoice as they were at one version of it (null: there is no such invoice). */
export interface SeenRows {
  readonly version: number | null;
  readonly faults: readonly RowFault[];
}

// A transaction holds 4 MiB at most, and an item 400 KiB.
const ROWS_TOGETHER = 8;

/** Looks at the rows of an invoice and at others that seem to be its; null when it was just being changed. */
export async function lookAtRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  scope: SupplierScope,
  invoiceId: string,
  others: readonly Key[],
): Promise<SeenRows | null> {
  const Key = invoiceKey(scope, invoiceId);
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const version = versionOf(Item);
  const due = Item ? rowsOf(scope, toInvoice(Item as InvoiceItem)) : [];
  const keys = new Map([...due, ...others].map(({ pk, sk }) => [textOf({ pk, sk }), { pk, sk }]));

  const faults: RowFault[] = [];
  for (const some of inParts([...keys.values()])) {
    const seen = await readTogether(client, TableName, [Key, ...some]);
    // Rows change only with the version of their invoice: parts of one version show one moment.
    if (!seen || versionOf(seen[0]) !== version) return null;
    for (const [at, key] of some.entries()) {
      const right = due.find((row) => textOf(row) === textOf(key)) ?? null;
      const kind = faultOf(right, seen[at + 1]);
      if (kind) faults.push({ kind, key, right, ...nameOfRow(key.sk) });
    }
  }
  return { version, faults };
}

/** Sets right what was seen; false when the invoice has changed since then. */
export async function repairRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  scope: SupplierScope,
  invoiceId: string,
  { version, faults }: SeenRows,
): Promise<boolean> {
  const asSeen = {
    TableName,
    Key: invoiceKey(scope, invoiceId),
    ...(version === null
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
  };
  for (const some of inParts(faults)) {
    const writes = some.map(({ key, right }) =>
      right ? { Put: { TableName, Item: right } } : { Delete: { TableName, Key: key } },
    );
    const transaction = { TransactItems: [{ ConditionCheck: asSeen }, ...writes] };
    const { kind } = await transact(client, transaction, { overloadIsConflict: true });
    if (kind === 'conflict') return false;
  }
  return true;
}

/** Reads items as they are at one moment; null while a transaction is writing one of them. */
async function readTogether(client: DynamoDBDocumentClient, TableName: string, keys: readonly Key[]) {
  try {
    const gets = keys.map((Key) => ({ Get: { TableName, Key } }));
    const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems: gets }));
    return Responses.map(({ Item }) => Item);
  } catch (error) {
    if (error instanceof TransactionCanceledException) return null;
    throw error;
  }
}

function faultOf(right: InvoiceRowItem | null, stored: object | undefined): RowFault['kind'] | null {
  if (!right) return stored ? 'stray' : null;
  if (!stored) return 'missing';
  return contentOf(stored) === contentOf(right) ? null : 'differing';
}

function versionOf(invoice: object | undefined): number | null {
  return invoice ? toInteger((invoice as InvoiceItem).version) : null;
}

function textOf({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

function inParts<Element>(elements: readonly Element[]): Element[][] {
  return Array.from({ length: Math.ceil(elements.length / ROWS_TOGETHER) }, (_, part) =>
    elements.slice(part * ROWS_TOGETHER, (part + 1) * ROWS_TOGETHER),
  );
}
