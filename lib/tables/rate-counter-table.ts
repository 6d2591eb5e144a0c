import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RateCounterStore } from '../access/sliding-window.ts';
import { disableRetries } from './dynamodb/document-client.ts';
import { awaitConditionalWrite, buildExpiry, buildUpdate, type UpdatePart } from './dynamodb/writes.ts';
import { buildTimeWrite, readTimes, toUpperBoundMs } from './latest-times.ts';

/** Creates the store of sliding windows. An item contains the times of the latest `limit` accepted requests. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const { part, isStoredIn } = buildTimeWrite(limit, nowMs);
      const freeWindowCondition: UpdatePart = {
        conditions: ['(attribute_not_exists(h00) OR h00 < :windowStart)'],
        values: { ':windowStart': toUpperBoundMs(nowMs - windowMs) },
      };
      const writeTime = async (timePart: UpdatePart): ReturnType<RateCounterStore['add']> => {
        const input = buildUpdate(table, { pk: key }, [freeWindowCondition, timePart, buildExpiry(nowMs + windowMs)]);
        const command = disableRetries(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }));
        const { kind, current } = await awaitConditionalWrite(client.send(command));
        const isAdded = kind === 'written' || isStoredIn(current);
        return { kind: isAdded ? 'added' : 'full', times: readTimes(current, limit) };
      };
      // A failed write is retried once, because the connection from the pool can be closed. The retries of the SDK are
      // not used, because they stop when many calls fail. Only the retry checks that the time is not stored yet.
      return writeTime({ ...part, conditions: [] }).catch(() => writeTime(part));
    },
  };
}
