import type { RateCounterStore } from '../access/sliding-window.ts';
import { newUuid } from '../runtime/ids.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { buildExpiry, buildUpdate } from './dynamodb/updates.ts';
import { updateItem } from './dynamodb/writes.ts';
import { buildTimeWrite, isLastWrite, readTimes } from './latest-times.ts';

/** Creates the store of sliding windows. An item contains the times of the latest `limit` accepted requests. */
export function createRateCounterTable(client: TableClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const writeId = newUuid();
      const freeWindowCondition = {
        conditions: ['(attribute_not_exists(h00) OR h00 <= :windowStart)'],
        values: { ':windowStart': nowMs - windowMs },
      };
      const parts = [freeWindowCondition, buildTimeWrite(limit, nowMs, writeId), buildExpiry(nowMs + windowMs)];
      const update = { ...buildUpdate(table, { pk: key }, parts), ReturnValues: 'ALL_NEW' } as const;
      const { current } = await updateItem(client, update);
      // If the SDK repeats a write whose response was lost, the condition fails, but the item also contains the id.
      const isAdded = isLastWrite(current, writeId);
      return { kind: isAdded ? 'added' : 'full', times: readTimes(current, limit) };
    },
  };
}
