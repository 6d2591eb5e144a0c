import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RateCounterStore } from '../rate-limit/sliding-window.ts';
import { type StoredNumber, toInteger } from './numbers.ts';
import { unmarshalled } from './unmarshalled.ts';

/** The sliding windows in RateCounters: item `pk` holds the last `limit` accepted times in h00, h01, ... and its `ttl`. */
export function createRateCounterTable(client: DynamoDBDocumentClient, table: string): RateCounterStore {
  return {
    async takePlace(key, { limit, windowMs }, nowMs) {
      const places = placeNames(limit);
      const last = places.length - 1;
      // A shift register: every right-hand side reads the item as it was before the update.
      const shifts = places
        .slice(0, last)
        .map((place, index) => `${place} = if_not_exists(${places[index + 1]}, :never)`);
      const timesOf = (item: object | undefined) =>
        places.map((place) => toInteger((item as Record<string, StoredNumber>)[place] as StoredNumber));
      try {
        const { Attributes } = await client.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: key },
            UpdateExpression: `SET ${[...shifts, `${places[last]} = :now`, '#ttl = :ttl'].join(', ')}`,
            ConditionExpression: 'attribute_not_exists(h00) OR h00 <= :cutoff',
            ExpressionAttributeNames: { '#ttl': 'ttl' },
            ExpressionAttributeValues: {
              ':never': 0,
              ':now': nowMs,
              ':cutoff': nowMs - windowMs,
              ':ttl': Math.ceil((nowMs + windowMs) / 1000),
            },
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { accepted: true, times: timesOf(Attributes) };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return { accepted: false, times: timesOf(unmarshalled(error.Item)) };
      }
    },
  };
}

function placeNames(limit: number): string[] {
  return Array.from({ length: limit }, (_, index) => `h${index.toString().padStart(2, '0')}`);
}
