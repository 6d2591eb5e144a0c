import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  NumberValue,
  TransactGetCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toListEntry, toMonth, buildPositionBounds } from '../../../lib/domain/list-entry.ts';
import { type AttemptLimits, limitedAttempts } from '../../../lib/runtime/attempts.ts';
import { computeFingerprint } from '../../../lib/runtime/fingerprints.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import {
  batchGet,
  createKeyLookup,
  type Key,
  buildPrefixCondition,
  buildPartitionCondition,
  buildRangeCondition,
  queryPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { toDecimal } from '../../../lib/tables/dynamodb/values.ts';
import { sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';
import {
  buildCountersUnchanged,
  readCounters,
  CHANGES,
  applyEntry,
  sumCounters,
} from '../../../lib/tables/day-counters.ts';
import {
  type InvoiceItem,
  type InvoiceRowItem,
  buildRows,
  toRowEntry,
  toInvoice,
  toListedInvoice,
} from '../../../lib/tables/invoice-items.ts';
import { readInvoiceItems } from '../../../lib/tables/invoice-table.ts';
import { buildUnchangedCondition } from '../../../lib/tables/invoice-transaction.ts';
import {
  COUNTER_SHARDS,
  COUNTER_PREFIX,
  parseCounterMonth,
  buildCounterSortKey,
  buildInvoiceKey,
  buildInvoicePartition,
  parseRowKey,
  buildRowPartition,
  buildRowPrefix,
} from '../../../lib/tables/keys.ts';

/** The attempts to verify a row or a month that other writers change at the same time. */
const RETRIES: AttemptLimits = { maxAttempts: 12, firstMs: 10, longestMs: 1000 };

type Repair = (scope: SupplierScope, writes: TransactWriteCommandInput['TransactItems']) => Promise<boolean>;

/** Creates the reader and auditor of rows and day counters. Months are yyyy-mm, and reads are strongly consistent. */
export function createLists(client: DynamoDBDocumentClient, TableName: string) {
  /** Counts the invoices of a month by their rows, except that `distrusted` ids are counted by their invoices. */
  async function countMonth(scope: SupplierScope, month: string, distrusted: ReadonlySet<string>) {
    const counts = new Map<string, number>();
    const query = {
      TableName,
      ...buildPrefixCondition({ pk: buildRowPartition(scope, month), sk: buildRowPrefix(null) }),
      ProjectionExpression: 'sk, state_code, search_text',
    };
    for await (const rows of queryPages<InvoiceRowItem>(client, query)) {
      for (const row of rows) {
        if (!distrusted.has(parseRowKey(row.sk).invoiceId)) applyEntry(counts, toRowEntry(row), 1);
      }
    }
    const keys = [...distrusted].map((invoiceId) => buildInvoiceKey(scope, invoiceId));
    for (const invoice of (await batchGet<InvoiceItem>(client, TableName, keys)).map(toInvoice)) {
      if (toMonth(invoice.sortDate) === month) applyEntry(counts, toListEntry(invoice), 1);
    }
    return counts;
  }

  /** Replaces the counters of a month. Returns false and writes nothing if a counter item is not as it was read. */
  function replaceCounters(
    scope: SupplierScope,
    month: string,
    readItems: Awaited<ReturnType<typeof readCounters>>,
    counts: ReadonlyMap<string, number>,
    repair: Repair,
  ): Promise<boolean> {
    const writes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
      const key = { pk: buildInvoicePartition(scope), sk: buildCounterSortKey(month, shard) };
      const digits = readItems.find(({ sk }) => sk?.S === key.sk)?.[CHANGES]?.N;
      const changes = digits === undefined ? undefined : Number(digits);
      // The first shard gets all counts. The others become empty.
      const newCounts = shard === 0 ? Object.fromEntries(counts) : {};
      return {
        Put: {
          TableName,
          Item: { ...key, ...newCounts, [CHANGES]: (changes ?? 0) + 1 },
          ...buildCountersUnchanged(changes),
        },
      };
    });
    return repair(scope, writes);
  }

  /** Sends a repair of a tenant. Returns false if nothing was written because of a conflict or a throttled table. */
  const repairItems: Repair = async (_, writes) => {
    const { kind } = await sendTransaction(client, { TransactItems: writes }, { isOverloadConflict: true });
    return kind === 'committed';
  };

  /** Reads an invoice and a row at one moment. Returns null if another transaction prevented the read. */
  async function readSnapshot(invoiceKey: Key, rowKey: Key) {
    const reads = [invoiceKey, rowKey].map((key) => ({ Get: { TableName, Key: key } }));
    try {
      const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems: reads }));
      const [invoiceItem, storedRow] = Responses.map(({ Item }) => Item);
      return { invoiceItem: invoiceItem as InvoiceItem | undefined, storedRow };
    } catch (error) {
      if (error instanceof TransactionCanceledException) return null;
      throw error;
    }
  }

  return {
    /** Finds the months that have counters, oldest first. */
    async months(scope: SupplierScope) {
      const counters = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: COUNTER_PREFIX });
      const items = await collectPages(queryPages<Key>(client, { TableName, ...counters, ProjectionExpression: 'sk' }));
      return [...new Set(items.map(({ sk }) => parseCounterMonth(sk)))];
    },

    /** Reads the rows of a month in a range of sort dates and in a state (null: in any state), oldest first. */
    async invoices(scope: SupplierScope, month: string, range: DateRange, state: StateCode | null) {
      const { first, last } = buildPositionBounds(range);
      const prefix = buildRowPrefix(state);
      const rows = buildRangeCondition(buildRowPartition(scope, month), prefix + first, prefix + last);
      const items = await collectPages(queryPages<InvoiceRowItem>(client, { TableName, ...rows }));
      return items.map((item) => {
        const { sortDate } = parseRowKey(item.sk);
        return { ...toListedInvoice(item.invoice_id, item), sortDate };
      });
    },

    /** Yields the rows that the invoices of a supplier require, page by page. */
    async *requiredRows(scope: SupplierScope) {
      for await (const items of readInvoiceItems(client, TableName, scope)) {
        yield items.flatMap((item) => buildRows(scope, toInvoice(item))).map(toFingerprintedRow);
      }
    },

    async *storedRows(scope: SupplierScope, month: string) {
      const rows = buildPartitionCondition(buildRowPartition(scope, month));
      for await (const items of queryPages<InvoiceRowItem>(client, { TableName, ...rows })) {
        yield items.map(toFingerprintedRow);
      }
    },

    repairItems,

    /**
     * Compares a row with its invoice, and repairs the row with `repair`. Returns null if the row is correct, and `busy`
     * if the row or its invoice changed during every attempt.
     */
    async verifyRow(scope: SupplierScope, sk: string, repair: Repair | null) {
      const { invoiceId, list, sortDate: date } = parseRowKey(sk);
      const invoiceKey = buildInvoiceKey(scope, invoiceId);
      const rowKey = { pk: buildRowPartition(scope, toMonth(date)), sk };
      for await (const _ of limitedAttempts(RETRIES)) {
        const snapshot = await readSnapshot(invoiceKey, rowKey);
        if (!snapshot) continue;
        const { invoiceItem, storedRow } = snapshot;
        const invoice = invoiceItem ? toInvoice(invoiceItem) : null;
        const requiredRow = createKeyLookup(invoice ? buildRows(scope, invoice) : [])(rowKey);
        const fault = findFault(storedRow, requiredRow);
        if (!fault) return null;
        if (!repair) return { fault, list, date };
        const check = { ConditionCheck: { TableName, Key: invoiceKey, ...buildUnchangedCondition(invoice) } };
        const write = requiredRow ? { Put: { TableName, Item: requiredRow } } : { Delete: { TableName, Key: rowKey } };
        if (await repair(scope, [check, write])) return { fault, list, date };
      }
      return 'busy';
    },

    /**
     * Compares the counters of a month with its rows, exactly while the service writes, and replaces them with `repair`.
     * Invoices whose ids are in `distrusted` are counted without their rows. Returns the counts and the differences by
     * name (`07PEN` counts the invoices of the 7th in state PEN, and `07` is their fingerprint), or `busy` if the month
     * changed during every attempt.
     */
    async verifyMonth(scope: SupplierScope, month: string, distrusted: ReadonlySet<string>, repair: Repair | null) {
      let previousResult = '';
      for await (const _ of limitedAttempts(RETRIES)) {
        const items = await readCounters(client, TableName, scope, month, month);
        const counts = await countMonth(scope, month, distrusted);
        const sums = sumCounters(items);
        const differences = [...new Set([...counts.keys(), ...sums.keys()])]
          .toSorted()
          .map((name) => ({ name, counted: counts.get(name) ?? 0, stored: sums.get(name) ?? 0 }))
          .filter(({ counted, stored }) => counted !== stored);
        // Equal sums are certain at once, because they contain the fingerprints.
        if (differences.length === 0) return { counts, differences };
        // The writes of a transaction become visible one by one. Therefore a difference is certain only if it is found
        // twice without a change of the counters in between.
        const result = JSON.stringify([differences, items.map((item) => item[CHANGES])]);
        const isCertain = result === previousResult;
        previousResult = result;
        if (!isCertain) continue;
        if (!repair || (await replaceCounters(scope, month, items, counts, repair))) return { counts, differences };
      }
      return 'busy';
    },
  };
}

function findFault(storedRow: object | undefined, requiredRow: object | undefined) {
  if (!requiredRow) return storedRow ? 'stray' : null;
  if (!storedRow) return 'missing';
  return serialise(storedRow) === serialise(requiredRow) ? null : 'differing';
}

function toFingerprintedRow(item: InvoiceRowItem) {
  return { sk: item.sk, fingerprint: computeFingerprint(serialise(item)) };
}

/** Serialises the attributes of a row in the order of their names. */
function serialise(item: object): string {
  const attributes = Object.entries(item).toSorted(([name], [otherName]) => (name < otherName ? -1 : 1));
  return JSON.stringify(attributes, (_, value) =>
    value instanceof NumberValue ? { digits: toDecimal(value).toFixed() } : value,
  );
}
