import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, NumberValue, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditedRow, RowAudit, WrongRow } from '../../admin/ports/audits.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { idAt } from '../../domain/list-entry.ts';
import { fingerprintOf } from '../../runtime/fingerprints.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { byKey, type Key } from '../dynamodb/key.ts';
import { toDecimal, toInteger } from '../dynamodb/numbers.ts';
import { between, inPartition, queryPages } from '../dynamodb/paged-items.ts';
import { transact } from '../dynamodb/transact.ts';
import { type InvoiceItem, type InvoiceRowItem, rowsOf, toInvoice } from '../items/invoice-items.ts';
import {
  invoiceIdBounds,
  invoiceKey,
  invoicePartition,
  positionOfRow,
  rowPartition,
  rowPrefix,
} from '../items/keys.ts';

// What rows begin with, in the list of all and in those of states.
const ROW_KEY = /^[DS]#/;
const MONTH_DIGITS = 7;

/** The auditors' repository of the rows in Invoices. */
export function createRowAudit(client: DynamoDBDocumentClient, TableName: string): RowAudit {
  /** Reads two items as they are at one moment; null while a transaction is writing one of them. */
  async function readTogether(keys: readonly Key[]): Promise<Key[] | null> {
    const gets = keys.map(({ pk, sk }) => ({ Get: { TableName, Key: { pk, sk } } }));
    try {
      const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems: gets }));
      return Responses.flatMap(({ Item }) => (Item ? [Item as Key & object] : []));
    } catch (error) {
      if (error instanceof TransactionCanceledException) return null;
      throw error;
    }
  }

  return {
    async *due(scope) {
      const { first, last } = invoiceIdBounds;
      const query = { TableName, ...between(invoicePartition(scope), first, last) };
      for await (const items of queryPages<InvoiceItem>(client, query)) {
        yield items.flatMap((item) => rowsOf(scope, toInvoice(item))).map(toAudited);
      }
    },

    async *stored(scope, month) {
      const query = { TableName, ...inPartition(rowPartition(scope, month)) };
      for await (const items of queryPages<InvoiceRowItem>(client, query)) {
        yield items.filter(({ sk }) => ROW_KEY.test(sk)).map(toAudited);
      }
    },

    async compare(scope, rows) {
      const ids = new Set(rows.map(({ invoiceId }) => invoiceId));
      const invoiceKeys = [...ids].map((invoiceId) => invoiceKey(scope, invoiceId));
      const rowKeys = rows.map(({ pk, sk }) => ({ pk, sk }));
      return wrongRows(scope, rows, await batchGet<Key>(client, TableName, [...invoiceKeys, ...rowKeys]));
    },

    async compareExactly(scope, row) {
      const items = await readTogether([invoiceKey(scope, row.invoiceId), row]);
      if (!items) return 'busy';
      const [wrong = null] = wrongRows(scope, [row], items);
      return wrong;
    },

    async repair(scope, { pk, sk, invoiceId, right, version }) {
      const asCompared =
        version === null
          ? { ConditionExpression: 'attribute_not_exists(pk)' }
          : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } };
      const invoice = { ConditionCheck: { TableName, Key: invoiceKey(scope, invoiceId), ...asCompared } };
      const row = right ? { Put: { TableName, Item: { ...right } } } : { Delete: { TableName, Key: { pk, sk } } };
      const { kind } = await transact(client, { TransactItems: [invoice, row] }, { overloadIsConflict: true });
      return kind === 'committed';
    },
  };
}

/** The id of the invoice to which a row belongs by its sort key, which is never empty. */
export function invoiceOfRow(sortKey: string): string {
  return idAt(positionOfRow(sortKey)) || '0';
}

/** Those of some rows that are not as their invoices say, by the items that were read of both. */
function wrongRows(scope: SupplierScope, rows: readonly AuditedRow[], items: readonly Key[]): WrongRow[] {
  const find = byKey(items);
  return rows.flatMap((row): WrongRow[] => {
    const invoice = find(invoiceKey(scope, row.invoiceId)) as InvoiceItem | undefined;
    const due = invoice ? rowsOf(scope, toInvoice(invoice)) : [];
    const right = byKey(due)(row) ?? null;
    const fault = faultOf(right, find(row));
    if (!fault) return [];
    const list = row.sk.startsWith(rowPrefix(null)) ? 'all' : (row.sk.split('#')[1] ?? '');
    const date = positionOfRow(row.sk).split('#')[0] ?? '';
    return [{ ...row, fault, list, date, right, version: invoice ? toInteger(invoice.version) : null }];
  });
}

function faultOf(right: object | null, stored: object | undefined): WrongRow['fault'] | null {
  if (!right) return stored ? 'stray' : null;
  if (!stored) return 'missing';
  return contentOf(stored) === contentOf(right) ? null : 'differing';
}

function toAudited(item: InvoiceRowItem): AuditedRow {
  const { pk, sk } = item;
  const day = `${pk.slice(-MONTH_DIGITS)}-${positionOfRow(sk).slice(8, 10)}`;
  return { pk, sk, invoiceId: invoiceOfRow(sk), day, fingerprint: fingerprintOf(contentOf(item)) };
}

/** Everything that a row holds, as one text; the order of the attributes does not matter. */
function contentOf(item: object): string {
  return JSON.stringify(
    Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    (_, value) => (value instanceof NumberValue ? { digits: toDecimal(value).toFixed() } : value),
  );
}
