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
  buildRangeCondition,
  buildPartitionCondition,
  queryPages,
} from '../../../lib/tables/dynamodb/reads.ts';
import { toDecimal } from '../../../lib/tables/dynamodb/values.ts';
import { sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';
import { readCounters, CHANGES, applyEntry, sumCounters } from '../../../lib/tables/day-counters.ts';
import {
  type InvoiceItem,
  type InvoiceRowItem,
  buildRows,
  toRowEntry,
  toInvoice,
  toListedInvoice,
} from '../../../lib/tables/invoice-items.ts';
import {
  COUNTER_SHARDS,
  COUNTER_PREFIX,
  parseCounterMonth,
  buildCounterSortKey,
  ID_BOUNDS,
  buildInvoiceKey,
  buildInvoicePartition,
  parseRowKey,
  buildRowPartition,
  buildRowPrefix,
} from '../../../lib/tables/keys.ts';

/** The attempts to verify a row or a month that other writers change at the same time. */
const RETRIES: AttemptLimits = { maxAttempts: 12, firstMs: 10, longestMs: 1000 };

// The prefixes of the sort keys of rows: `D#` in the list of all invoices, `S#` in the lists of states.
const ROW_KEY = /^[DS]#/;

/** Creates the reader and auditor of rows and day counters in Invoices; months are yyyy-mm. Strongly consistent. */
export function createLists(client: DynamoDBDocumentClient, TableName: string) {
  /** Counts the rows of a month, or the invoices themselves if their ids are in `distrusted`. */
  async function countMonth(scope: SupplierScope, month: string, distrusted: ReadonlySet<string>) {
    const counts = new Map<string, number>();
    const rows = {
      ...buildPrefixCondition({ pk: buildRowPartition(scope, month), sk: buildRowPrefix(null) }),
      ProjectionExpression: 'sk, state_code, search_text',
    };
    for await (const page of queryPages<InvoiceRowItem>(client, { TableName, ...rows })) {
      for (const row of page)
        if (!distrusted.has(parseRowKey(row.sk).invoiceId)) applyEntry(counts, toRowEntry(row), 1);
    }
    const keys = [...distrusted].map((invoiceId) => buildInvoiceKey(scope, invoiceId));
    for (const invoice of (await batchGet<InvoiceItem>(client, TableName, keys)).map(toInvoice)) {
      if (toMonth(invoice.sortDate) === month) applyEntry(counts, toListEntry(invoice), 1);
    }
    return counts;
  }

  /** Replaces the counters of a month; returns false and writes nothing if one has changed since the read of `items`. */
  function replaceMonth(
    scope: SupplierScope,
    month: string,
    items: Awaited<ReturnType<typeof readCounters>>,
    counts: ReadonlyMap<string, number>,
  ): Promise<boolean> {
    const writes = Array.from({ length: COUNTER_SHARDS }, (_, shard) => {
      const key = { pk: buildInvoicePartition(scope), sk: buildCounterSortKey(month, shard) };
      const changes = Number(items.find(({ sk }) => sk?.S === key.sk)?.[CHANGES]?.N ?? 0);
      const condition = {
        ConditionExpression: changes === 0 ? 'attribute_not_exists(#changes)' : '#changes = :changes',
        ExpressionAttributeNames: { '#changes': CHANGES },
        ...(changes > 0 && { ExpressionAttributeValues: { ':changes': changes } }),
      };
      const sums = shard === 0 ? Object.fromEntries(counts) : {};
      return { Put: { TableName, Item: { ...key, ...sums, [CHANGES]: changes + 1 }, ...condition } };
    });
    return isCommitted(client, writes);
  }

  return {
    /** Finds the months that have counters, oldest first. The service never deletes counters. */
    async months(scope: SupplierScope) {
      const counters = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: COUNTER_PREFIX });
      const items = await collectPages(queryPages<Key>(client, { TableName, ...counters, ProjectionExpression: 'sk' }));
      return [...new Set(items.map(({ sk }) => parseCounterMonth(sk)))];
    },

    /** Reads the invoices of a month, a range of sort dates and a state (null: any) in the form of lists, oldest first. */
    async invoices(scope: SupplierScope, month: string, range: DateRange, state: StateCode | null) {
      const [{ first, last }, prefix] = [buildPositionBounds(range), buildRowPrefix(state)];
      const rows = buildRangeCondition(buildRowPartition(scope, month), prefix + first, prefix + last);
      const items = await collectPages(queryPages<InvoiceRowItem>(client, { TableName, ...rows }));
      return items.map((item) => ({
        ...toListedInvoice(item.invoice_id, item),
        sortDate: parseRowKey(item.sk).sortDate,
      }));
    },

    /** Yields the rows that the invoices of a supplier require, page by page. */
    async *requiredRows(scope: SupplierScope) {
      const query = {
        TableName,
        ...buildRangeCondition(buildInvoicePartition(scope), ID_BOUNDS.first, ID_BOUNDS.last),
      };
      for await (const items of queryPages<InvoiceItem>(client, query)) {
        yield items.flatMap((item) => buildRows(scope, toInvoice(item))).map(toAudited);
      }
    },

    async *storedRows(scope: SupplierScope, month: string) {
      const query = { TableName, ...buildPartitionCondition(buildRowPartition(scope, month)) };
      for await (const items of queryPages<InvoiceRowItem>(client, query)) {
        yield items.filter(({ sk }) => ROW_KEY.test(sk)).map(toAudited);
      }
    },

    /**
     * Compares a row with its invoice, both as they are at one moment, and repairs it on request. Returns null if the
     * row is right, and `busy` if the row or its invoice changed during every attempt.
     */
    async verifyRow(scope: SupplierScope, sk: string, repair: boolean) {
      const { invoiceId, list, sortDate: date } = parseRowKey(sk);
      const Key = buildInvoiceKey(scope, invoiceId);
      const rowKey = { pk: buildRowPartition(scope, toMonth(date)), sk };
      for await (const _ of limitedAttempts(RETRIES)) {
        const read = [Key, rowKey].map((key) => ({ Get: { TableName, Key: key } }));
        const found = await client.send(new TransactGetCommand({ TransactItems: read })).catch((error: unknown) => {
          if (error instanceof TransactionCanceledException) return null;
          throw error;
        });
        if (!found) continue;
        const [invoice, stored] = (found.Responses ?? []).map(({ Item }) => Item);
        const right = invoice && createKeyLookup(buildRows(scope, toInvoice(invoice as InvoiceItem)))(rowKey);
        const fault = findFault(stored, right);
        if (!fault) return null;
        const unchangedCondition = invoice
          ? { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': invoice['version'] } }
          : { ConditionExpression: 'attribute_not_exists(pk)' };
        const write = right ? { Put: { TableName, Item: right } } : { Delete: { TableName, Key: rowKey } };
        const writes = [{ ConditionCheck: { TableName, Key, ...unchangedCondition } }, write];
        if (!repair || (await isCommitted(client, writes))) return { fault, list, date };
      }
      return 'busy';
    },

    /**
     * Compares the counters of a month with its invoices, exactly while the service writes, and replaces them on request.
     * Counts the rows, or the invoices themselves if their ids are in `distrusted`. Returns the counts and the
     * differences by name (`07PEN` counts the invoices of the 7th in state PEN, `07` is their fingerprint), and `busy`
     * if the month changed during every attempt.
     */
    async verifyMonth(scope: SupplierScope, month: string, distrusted: ReadonlySet<string>, repair: boolean) {
      let previous = '';
      for await (const _ of limitedAttempts(RETRIES)) {
        const items = await readCounters(client, TableName, scope, month, month);
        const counts = await countMonth(scope, month, distrusted);
        const sums = sumCounters(items);
        const differences = [...new Set([...counts.keys(), ...sums.keys()])]
          .toSorted()
          .map((name) => ({ name, counted: counts.get(name) ?? 0, stored: sums.get(name) ?? 0 }))
          .filter((one) => one.counted !== one.stored);
        if (differences.length === 0) return { counts, differences };
        // Another writer changes rows and counters one by one. A difference is certain if it is found twice without a
        // change of the counters between. Equal sums are certain at once, because they contain the fingerprints.
        const current = JSON.stringify([differences, items.map((item) => item[CHANGES])]);
        const isCertain = current === previous;
        previous = current;
        if (!isCertain) continue;
        if (!repair || (await replaceMonth(scope, month, items, counts))) return { counts, differences };
      }
      return 'busy';
    },
  };
}

/** Sends a transaction; returns false if nothing was written because of a conflict or a throttled table. */
async function isCommitted(client: DynamoDBDocumentClient, writes: TransactWriteCommandInput['TransactItems']) {
  return (await sendTransaction(client, { TransactItems: writes }, { overloadIsConflict: true })).kind === 'committed';
}

function findFault(stored: object | undefined, right: object | undefined) {
  if (!right) return stored ? 'stray' : null;
  if (!stored) return 'missing';
  return serialise(stored) === serialise(right) ? null : 'differing';
}

function toAudited(item: InvoiceRowItem) {
  return { sk: item.sk, fingerprint: computeFingerprint(serialise(item)) };
}

/** Serialises the attributes of a row as one text, in the order of their names. */
function serialise(item: object): string {
  return JSON.stringify(
    Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    (_, value) => (value instanceof NumberValue ? { digits: toDecimal(value).toFixed() } : value),
  );
}
