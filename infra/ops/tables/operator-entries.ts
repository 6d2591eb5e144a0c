import { type DynamoDBDocumentClient, ExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { buildPartitionCondition, type Key, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import { buildOperatorPartition } from '../../../lib/tables/keys.ts';
import { exemptFromWatch } from './watch-writes.ts';

/** An entry of the operator record: a command that wrote data of a tenant, at the time of its first write. */
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

// The sort key of the end of an entry is the sort key of its start with this suffix.
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
      let entries = new Map<string, StoredEntry>();
      for await (const page of queryPages<StoredEntry>(client, query)) {
        for (const item of page) {
          const startKey = item.sk.replace(END, '');
          const other = entries.get(startKey);
          const isStart = item.sk === startKey;
          // The end of an entry replaces the result in its start.
          entries.set(startKey, isStart ? { ...item, ...other } : { ...other, ...item });
        }
        const readEntries = [...entries];
        const completeEntries = readEntries.slice(0, -1).map(([, entry]) => toEntry(entry));
        // The other item of the last entry can be in the next page.
        entries = new Map(readEntries.slice(-1));
        if (completeEntries.length > 0) yield completeEntries;
      }
      if (entries.size > 0) yield [...entries.values()].map(toEntry);
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

function toEntry({ pk: _pk, sk: _sk, ...entry }: StoredEntry): OperatorEntry {
  return { ...entry, items: toInteger(entry.items) };
}
