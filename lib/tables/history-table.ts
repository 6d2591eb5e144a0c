import { formatDay } from '../domain/date-range.ts';
import type { RecordedChange } from '../domain/invoice-change.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { DAY_MS } from '../domain/iso-date.ts';
import { collectPages } from '../runtime/pages.ts';
import { buildPartitionCondition, queryPages } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { type DetailedChange, type HistoryItem, toDetailedChange, toRecordedChange } from './history-items.ts';
import {
  buildChangeKey,
  buildDayPartition,
  buildHistoryPartition,
  CHANGE_INDEX,
  DAY_PARTITIONS,
  isStorableId,
} from './keys.ts';

/** Creates the reader of the histories of invoices. */
export function createHistoryTable(client: TableClient, TableName: string) {
  /** Yields the changes in a partition of a day, in the order of time. `endTime` is excluded. */
  async function* readPartition(partition: string, startTime: string, endTime: string) {
    const query = {
      TableName,
      IndexName: CHANGE_INDEX,
      ConsistentRead: false,
      KeyConditionExpression: 'change_day = :day AND change_key BETWEEN :start AND :end',
      ExpressionAttributeValues: { ':day': partition, ':start': startTime, ':end': endTime },
    };
    for await (const items of queryPages<HistoryItem>(client, query)) yield items.map(toRecordedChange);
  }

  /** Reads all changes of an invoice, oldest first, strongly consistent. */
  async function read(scope: SupplierScope, invoiceId: string): Promise<DetailedChange[]> {
    if (!isStorableId(invoiceId)) return [];
    const query = { TableName, ...buildPartitionCondition(buildHistoryPartition(scope, invoiceId)) };
    return (await collectPages(queryPages<HistoryItem>(client, query))).map(toDetailedChange);
  }

  /**
   * Yields the changes of a tenant between two times (Unix milliseconds, `endMs` excluded), page by page in the order of
   * time. The index can lack the changes of the last seconds.
   */
  async function* readBetween(
    tenant: string,
    startMs: number,
    endMs: number,
  ): AsyncGenerator<readonly RecordedChange[], void> {
    const startTime = new Date(startMs).toISOString();
    const endTime = new Date(endMs).toISOString();
    for (let dayMs = Date.parse(formatDay(startMs)); dayMs < endMs; dayMs += DAY_MS) {
      const partitions = Array.from({ length: DAY_PARTITIONS }, (_, number) =>
        readPartition(buildDayPartition(tenant, formatDay(dayMs), number), startTime, endTime),
      );
      yield* mergeByTime(partitions);
    }
  }

  return { read, readBetween };
}

/** The changes of a partition that are read and not yet yielded. */
interface Source {
  readonly pages: AsyncGenerator<RecordedChange[]>;
  changes: RecordedChange[];
  isRead: boolean;
}

/** Merges the pages of partitions, each in the order of time, into pages in the order of time. */
async function* mergeByTime(partitions: readonly AsyncGenerator<RecordedChange[]>[]): AsyncGenerator<RecordedChange[]> {
  const sources = partitions.map((pages): Source => ({ pages, changes: [], isRead: false }));
  for (;;) {
    await Promise.all(sources.map(fillSource));
    if (sources.every(({ changes }) => changes.length === 0)) return;
    // After this key, a partition with more pages can have changes that are not read yet.
    const unreadSources = sources.filter(({ isRead }) => !isRead);
    const lastChanges = unreadSources.flatMap(({ changes }) => changes.slice(-1));
    const [lastKey] = lastChanges.map(buildChangeKey).toSorted();
    const page = sources.flatMap((source) => takeChanges(source, lastKey));
    yield page.toSorted((one, other) => (buildChangeKey(one) < buildChangeKey(other) ? -1 : 1));
  }
}

/** Reads the next page of a partition that has changes, if all changes of the previous page were taken. */
async function fillSource(source: Source): Promise<void> {
  while (source.changes.length === 0 && !source.isRead) {
    const { value, done = false } = await source.pages.next();
    source.changes = value ?? [];
    source.isRead = done;
  }
}

/** Takes the changes up to a key; without a key, all. */
function takeChanges(source: Source, lastKey: string | undefined): RecordedChange[] {
  const { changes } = source;
  const nextIndex = lastKey === undefined ? -1 : changes.findIndex((change) => buildChangeKey(change) > lastKey);
  source.changes = nextIndex === -1 ? [] : changes.slice(nextIndex);
  return nextIndex === -1 ? changes : changes.slice(0, nextIndex);
}
