import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RateCounterStore } from '../access/sliding-window.ts';
import { conditionalWrite, expiresAt, updateBy, type UpdatePart } from './dynamodb/conditional-write.ts';
import { withoutRetry } from './dynamodb/document-client.ts';
import { addTime, afterMs, readTimes } from './latest-times.ts';

/** Creates the store of sliding windows: an item contains the latest `limit` accepted times and its `ttl`. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async add(key, { limit, windowMs }, nowMs) {
      const { part, isIn } = addTime(limit, nowMs);
      const isFree: UpdatePart = {
        conditions: ['(attribute_not_exists(h00) OR h00 < :windowStart)'],
        values: { ':windowStart': afterMs(nowMs - windowMs) },
      };
      const write = async (time: UpdatePart): ReturnType<RateCounterStore['add']> => {
        const input = updateBy(table, { pk: key }, [isFree, time, expiresAt(nowMs + windowMs)]);
        // No retries, because a request is accepted if it cannot be counted.
        const command = withoutRetry(new UpdateCommand({ ...input, ReturnValues: 'ALL_NEW' }));
        const { kind, current } = await conditionalWrite(client.send(command));
        return { kind: kind === 'written' || isIn(current) ? 'added' : 'full', times: readTimes(current, limit) };
      };
      // A pooled connection may have died. The client's own retries are rationed when many calls fail.
      return write({ ...part, conditions: [] }).catch(() => write(part));
    },
  };
}
