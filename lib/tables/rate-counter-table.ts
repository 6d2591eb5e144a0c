import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RateCounterStore } from '../access/sliding-window.ts';
import { newUuid } from '../runtime/ids.ts';
import { disableRetries } from './dynamodb/document-client.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate } from './dynamodb/writes.ts';
import { buildTimeWrite, isLastWrite, readTimes } from './latest-times.ts';

/** Creates the store of sliding windows. An item contains the times of the latest `limit` accepted requests. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const writeId = newUuid();
      const freeWindowCondition = {
        conditions: ['(attribute_not_exists(h00) OR h00 <= :windowStart)'],
        values: { ':windowStart': nowMs - windowMs },
      };
      const parts = [freeWindowCondition, buildTimeWrite(limit, nowMs, writeId), buildExpiry(nowMs + windowMs)];
      const input = { ...buildUpdate(table, { pk: key }, parts), ReturnValues: 'ALL_NEW' } as const;
      const write = () => awaitConditionalWrite(client.send(disableRetries(new UpdateCommand(input))));
      // A failed write is retried once, because the connection from the pool can be closed. The retries of the SDK are
      // not used, because they stop when many calls fail.
      const { kind, current } = await write().catch(write);
      const isAdded = kind === 'written' || isLastWrite(current, writeId);
      return { kind: isAdded ? 'added' : 'full', times: readTimes(current, limit) };
    },
  };
}
