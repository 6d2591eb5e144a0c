import { type DynamoDBDocumentClient, ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { buildPartitionCondition, type Key, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import { buildOperatorPartition } from '../../../lib/tables/keys.ts';
import { exemptFromWatch } from './watch-writes.ts';

/** An entry of the operator record: a command that wrote data of a tenant. `time` is the time of its first write. */
export interface OperatorEntry {
  readonly tenant: string;
  readonly time: string;
  readonly id: string;
  /** The verified identity of the caller. `by` is the name that the caller has passed. */
  readonly operator: string;
  readonly by?: string | undefined;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly reason?: string | undefined;
  /** A command that was killed stays `started`. */
  readonly status: 'started' | 'done' | 'rejected' | 'failed' | 'interrupted';
  readonly ended_at?: string;
  /** The number of different invoices or entries of the directory that were certainly written. */
  readonly items: number;
  /** Directory changes as strings of JSON, as many as fit. The last is uncertain if the command was killed or failed. */
  readonly changes: readonly string[];
}

type StoredEntry = Key & Omit<OperatorEntry, 'items'> & { readonly items: StoredNumber };

// An entry consists of two items: its start, and its end with the result. Their sort keys are consecutive:
// `2026-08-31T12:00:00.000Z#5d0c…` and, for the end, the same key with this suffix.
const END = '#END';

// DynamoDB names the error DuplicateItemException, and DynamoDB Local DuplicateItem.
const DUPLICATE_ITEM = /^DuplicateItem(?:Exception)?$/;

/** Creates the repository of the operator record in Directory. No function can read or write its partitions. */
export function createOperatorEntries(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /**
     * Adds an entry that is `started`, or the end of an entry. Uses PartiQL because it has its own permission for
     * INSERT, which never replaces an item, so that no policy for operators allows a change of an entry.
     */
    async write(entry: OperatorEntry): Promise<void> {
      const attributes = Object.entries(toItem(entry)).filter(([, value]) => value !== undefined);
      const fields = attributes.map(([name]) => `'${name}': ?`).join(', ');
      const command = new ExecuteStatementCommand({
        Statement: `INSERT INTO "${TableName}" VALUE {${fields}}`,
        Parameters: attributes.map(([, value]) => value),
      });
      try {
        await client.send(exemptFromWatch(command));
      } catch (error) {
        // Only this process knows the id. An item with this key is from an earlier attempt, whose response was lost.
        if (!DUPLICATE_ITEM.test((error as Error).name)) throw error;
      }
    },

    /** Yields the entries of a tenant, by default oldest first, page by page. */
    async *pages(tenant: string, { newestFirst = false } = {}): AsyncGenerator<OperatorEntry[]> {
      const condition = buildPartitionCondition(buildOperatorPartition(tenant));
      const query = { TableName, ...condition, ScanIndexForward: !newestFirst };
      let previousItems: readonly StoredEntry[] = [];
      for await (const page of queryPages<StoredEntry>(client, query)) {
        const entries = groupByEntry([...previousItems, ...page]);
        // The other item of the last entry can be in the next page.
        previousItems = entries.pop() ?? [];
        if (entries.length > 0) yield entries.map(toEntry);
      }
      if (previousItems.length > 0) yield [toEntry(previousItems)];
    },
  };
}

function toItem(entry: OperatorEntry): object {
  const { tenant, time, id, status, ended_at, items, changes } = entry;
  const pk = buildOperatorPartition(tenant);
  const startKey = `${time}#${id}`;
  if (status === 'started') return { pk, sk: startKey, ...entry };
  return { pk, sk: startKey + END, status, ended_at, items, changes };
}

/** Groups the items of each entry: its start and, unless its command was killed, its end. */
function groupByEntry(items: readonly StoredEntry[]): StoredEntry[][] {
  const itemsByStart = Map.groupBy(items, ({ sk }) => sk.replace(END, ''));
  return [...itemsByStart.values()];
}

/** Merges the items of an entry, in any order. The attributes of its end, which has the longer key, replace the others. */
function toEntry(items: readonly StoredEntry[]): OperatorEntry {
  const sortedItems = items.toSorted((one, other) => one.sk.length - other.sk.length);
  const { pk: _pk, sk: _sk, ...entry }: StoredEntry = Object.assign({}, ...sortedItems);
  return { ...entry, items: toInteger(entry.items) };
}
