import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { buildRangeCondition, type Key, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import { awaitConditionalWrite } from '../../../lib/tables/dynamodb/writes.ts';
import { buildOperatorPartition } from '../../../lib/tables/keys.ts';

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
  /** The number of items that were certainly written, such as invoices. */
  readonly items: number;
  /** Changes of the directory as JSON texts, as many as fit. The last is uncertain if the command was killed or failed. */
  readonly changes: readonly string[];
}

type StoredEntry = Key & Omit<OperatorEntry, 'items'> & { readonly items: StoredNumber };

const ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };
const STARTED = {
  ConditionExpression: '#status = :started',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':started': 'started' },
};

/** Creates the repository of the operator record in Directory. No function can read or write its partitions. */
export function createOperatorEntries(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Adds an entry that is `started`, or completes it. A completed entry never changes. */
    async write(entry: OperatorEntry): Promise<void> {
      const { tenant, time, id, status } = entry;
      const Item = { pk: buildOperatorPartition(tenant), sk: `${time}#${id}`, ...entry };
      const condition = status === 'started' ? ABSENT : STARTED;
      // Only this process knows the id. A failed condition means that an earlier attempt, whose response was lost, has
      // written the entry.
      await awaitConditionalWrite(client.send(new PutCommand({ TableName, Item, ...condition })));
    },

    /** Yields the entries of a tenant since a time (ISO 8601), oldest first, page by page. */
    async *pages(tenant: string, since: string): AsyncGenerator<OperatorEntry[]> {
      // The colon sorts after all digits, and so after all times.
      const query = { TableName, ...buildRangeCondition(buildOperatorPartition(tenant), since, ':') };
      for await (const stored of queryPages<StoredEntry>(client, query)) {
        yield stored.map(({ pk: _pk, sk: _sk, items, ...entry }) => ({ ...entry, items: toInteger(items) }));
      }
    },
  };
}
