import { DeleteCommand, paginateScan, PutCommand } from '@aws-sdk/lib-dynamodb';
import { LIMITS } from '../../lib/domain/limits.ts';
import { isFailureCounter } from '../../lib/tables/account-table.ts';
import { readTimes } from '../../lib/tables/latest-times.ts';
import { createEngineDocumentClient } from './engine-client.ts';
import type { StackDefinition } from './read-stack.ts';

/**
 * Removes what a clock that was set back to `nowMs` has left in the future: the requests and failed logins that were
 * counted later, with their lockouts, and the failures of accounts in the current window and in later ones.
 */
export async function removeFutureCounters(
  endpoint: string,
  { RateCounters, Directory }: StackDefinition['tableNames'],
  nowMs: number,
): Promise<void> {
  const client = createEngineDocumentClient(endpoint);
  for await (const { Items = [] } of paginateScan({ client }, { TableName: RateCounters })) {
    const laterItems = Items.filter((item) => Math.max(...readTimes(item, LIMITS.reads)) > nowMs);
    for (const { pk } of laterItems) await client.send(new DeleteCommand({ TableName: RateCounters, Key: { pk } }));
  }
  for await (const { Items = [] } of paginateScan({ client }, { TableName: Directory })) {
    for (const item of Items) {
      const attributes = Object.entries(item).filter(([name]) => !isFailureCounter(name, nowMs));
      if (attributes.length === Object.keys(item).length) continue;
      await client.send(new PutCommand({ TableName: Directory, Item: Object.fromEntries(attributes) }));
    }
  }
  client.destroy();
}
