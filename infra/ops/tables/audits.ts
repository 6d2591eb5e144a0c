import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  NumberValue,
  TransactGetCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { idAt, listEntryOf, monthOf } from '../../../lib/domain/list-entry.ts';
import { fingerprintOf } from '../../../lib/runtime/fingerprints.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import {
  batchGet,
  beginningWith,
  between,
  byKey,
  inPartition,
  type Key,
  queryPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { toDecimal } from '../../../lib/tables/dynamodb/values.ts';
import { transact } from '../../../lib/tables/dynamodb/writes.ts';
import { CHANGES, countEntry, counterUpdate, readCounters, sumsOf } from '../../../lib/tables/day-counters.ts';
import {
  type InvoiceItem,
  type InvoiceRowItem,
  rowsOf,
  toEntry,
  toInvoice,
} from '../../../lib/tables/invoice-items.ts';
import {
  COUNTER_SHARDS,
  COUNTERS,
  counterMonth,
  counterSortKey,
  invoiceIdBounds,
  invoiceKey,
  invoicePartition,
  positionOfRow,
  rowPartition,
  rowPrefix,
} from '../../../lib/tables/keys.ts';

/** The numbers of a month by name: `07PEN` counts the invoices of the 7th in state PEN, `07` is their fingerprint. */
export type MonthCounts = ReadonlyMap<string, number>;

/** Creates the auditors' repository of the day counters in Invoices; months are yyyy-mm. Strongly consistent. */
export function createCounterAudit(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Finds the months that have counters, oldest first. The service never deletes counters. */
    async months(scope: SupplierScope) {
      const counters = beginningWith({ pk: invoicePartition(scope), sk: COUNTERS });
      const items = await collectPages(queryPages<Key>(client, { TableName, ...counters, ProjectionExpression: 'sk' }));
      return [...new Set(items.map(({ sk }) => counterMonth(sk)))];
    },

    /** Reads the sums of the counters of a month, and the number of changes of each shard (0: never). */
    async read(scope: SupplierScope, month: string) {
      const items = await readCounters(client, TableName, scope, month, month);
      const changes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
        const item = items.find(({ sk }) => sk?.S === counterSortKey(month, shard));
        return Number(item?.[CHANGES]?.N ?? 0);
      });
      return { sums: sumsOf(items), changes };
    },

    /** Counts the rows of a month, or the invoices themselves if their ids are in `distrusted`. */
    async recount(scope: SupplierScope, month: string, distrusted: ReadonlySet<string>): Promise<MonthCounts> {
      const counts = new Map<string, number>();
      const rows = {
        ...beginningWith({ pk: rowPartition(scope, month), sk: rowPrefix(null) }),
        ProjectionExpression: 'sk, state_code, search_text',
      };
      for await (const page of queryPages<InvoiceRowItem>(client, { TableName, ...rows })) {
        for (const row of page) if (!distrusted.has(parseInvoiceId(row.sk))) countEntry(counts, toEntry(row), 1);
      }
      const keys = [...distrusted].map((invoiceId) => invoiceKey(scope, invoiceId));
      for (const invoice of (await batchGet<InvoiceItem>(client, TableName, keys)).map(toInvoice)) {
        if (monthOf(invoice.sortDate) === month) countEntry(counts, listEntryOf(invoice), 1);
      }
      return counts;
    },

    /** Adds to the counters; returns false and writes nothing if a counter of the month has changed since the read. */
    async correct(
      scope: SupplierScope,
      month: string,
      { changes }: { readonly changes: readonly number[] },
      corrections: MonthCounts,
    ) {
      const writes = changes.map((count, shard) => {
        const update = counterUpdate(scope, month, shard, shard === 0 ? corrections : new Map());
        const unchangedCondition = {
          ConditionExpression: count === 0 ? 'attribute_not_exists(#changes)' : '#changes = :changes',
          ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#changes': CHANGES },
          ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...(count > 0 && { ':changes': count }) },
        };
        return { Update: { TableName, ...update, ...unchangedCondition } };
      });
      return isCommitted(client, writes);
    },
  };
}

// The prefixes of the sort keys of rows: `D#` in the list of all invoices, `S#` in the lists of states.
const ROW_KEY = /^[DS]#/;

/** A row of an invoice in a list, with its month (yyyy-mm) and the fingerprint of its key and its attributes. */
export type AuditedRow = ReturnType<typeof toAudited>;

/** Creates the auditors' repository of the rows in Invoices; strongly consistent. */
export function createRowAudit(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Yields the rows that the invoices of a supplier require, page by page. */
    async *readRequiredRows(scope: SupplierScope) {
      const { first, last } = invoiceIdBounds;
      const query = { TableName, ...between(invoicePartition(scope), first, last) };
      for await (const items of queryPages<InvoiceItem>(client, query)) {
        yield items.flatMap((item) => rowsOf(scope, toInvoice(item))).map(toAudited);
      }
    },

    /** Yields the stored rows of a month (yyyy-mm), page by page. */
    async *readStoredRows(scope: SupplierScope, month: string) {
      const query = { TableName, ...inPartition(rowPartition(scope, month)) };
      for await (const items of queryPages<InvoiceRowItem>(client, query)) {
        yield items.filter(({ sk }) => ROW_KEY.test(sk)).map(toAudited);
      }
    },

    /**
     * Compares a row with its invoice, both as they are at one moment, and repairs it on request. Returns null if the
     * row is right, and `busy` if the row or its invoice is being written or has changed before the repair.
     */
    async verify(scope: SupplierScope, { pk, sk, invoiceId }: AuditedRow, repair: boolean) {
      const Key = invoiceKey(scope, invoiceId);
      const read = new TransactGetCommand({
        TransactItems: [{ Get: { TableName, Key } }, { Get: { TableName, Key: { pk, sk } } }],
      });
      const { Responses: responses = [] } = await client.send(read).catch((error: unknown) => {
        if (error instanceof TransactionCanceledException) return { Responses: null };
        throw error;
      });
      if (!responses) return 'busy';
      const [invoice, stored] = responses.map(({ Item }) => Item);
      const right = invoice && byKey(rowsOf(scope, toInvoice(invoice as InvoiceItem)))({ pk, sk });
      const fault = findFault(stored, right);
      if (!fault) return null;
      const unchangedCondition = invoice
        ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': invoice['version'] } }
        : { ConditionExpression: 'attribute_not_exists(pk)' };
      const write = right ? { Put: { TableName, Item: right } } : { Delete: { TableName, Key: { pk, sk } } };
      const writes = [{ ConditionCheck: { TableName, Key, ...unchangedCondition } }, write];
      if (repair && !(await isCommitted(client, writes))) return 'busy';
      // The list that contains the row (`all`, or a state), and the sort date of the row.
      const list = sk.startsWith(rowPrefix(null)) ? 'all' : (sk.split('#')[1] ?? '');
      return { invoice_id: invoiceId, fault, list, date: positionOfRow(sk).split('#')[0] ?? '' };
    },
  };
}

/** Sends a transaction; returns false if nothing was written because of a conflict or a throttled table. */
async function isCommitted(client: DynamoDBDocumentClient, writes: TransactWriteCommandInput['TransactItems']) {
  return (await transact(client, { TransactItems: writes }, { overloadIsConflict: true })).kind === 'committed';
}

function findFault(stored: object | undefined, right: object | undefined): 'missing' | 'stray' | 'differing' | null {
  if (!right) return stored ? 'stray' : null;
  if (!stored) return 'missing';
  return serialise(stored) === serialise(right) ? null : 'differing';
}

/** Parses the id of the invoice from the sort key of a row; never empty. */
function parseInvoiceId(sortKey: string): string {
  return idAt(positionOfRow(sortKey)) || '0';
}

function toAudited(item: InvoiceRowItem) {
  const { pk, sk } = item;
  const month = monthOf(positionOfRow(sk));
  return { pk, sk, invoiceId: parseInvoiceId(sk), month, fingerprint: fingerprintOf(serialise(item)) };
}

/** Serialises the attributes of a row as one text, in the order of their names. */
function serialise(item: object): string {
  return JSON.stringify(
    Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    (_, value) => (value instanceof NumberValue ? { digits: toDecimal(value).toFixed() } : value),
  );
}
