import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PlaceDecision, RateCounterStore } from '../../rate-limit/sliding-window.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import { withoutRetry } from '../dynamodb/document-client.ts';
import { afterMs, timesIn, timeWrite } from './latest-times.ts';

/** The sliding windows in RateCounters: item `pk` holds the last `limit` accepted times and its `ttl`. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async takePlace(key, { limit, windowMs }, nowMs) {
      const { shift, isNew, values, isIn } = timeWrite(limit, nowMs);
      const hasPlace = '(attribute_not_exists(h00) OR h00 < :windowStart)';
      const input = {
        TableName: table,
        Key: { pk: key },
        UpdateExpression: `SET ${shift}, #ttl = :ttl`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ...values,
          ':windowStart': afterMs(nowMs - windowMs),
          ':ttl': Math.ceil((nowMs + windowMs) / 1000),
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const;
      const write = async (ConditionExpression: string): Promise<PlaceDecision> => {
        // Without its counter the request goes on, so it does not wait for retries.
        const command = new UpdateCommand({ ...input, ConditionExpression });
        const { kind, current } = await conditionalWrite(client.send(withoutRetry(command)));
        return { kind: kind === 'written' || isIn(current) ? 'taken' : 'full', times: timesIn(current, limit) };
      };
      // A pooled connection may have died. The client's own retries are rationed when many calls fail.
      return write(hasPlace).catch(() => write(`${hasPlace} AND ${isNew}`));
    },
  };
}
