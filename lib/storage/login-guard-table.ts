import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { GuardRecord, GuardStore } from '../rate-limit/login-guard.ts';
import type { LoginPolicy } from '../rate-limit/policies.ts';
import { type StoredNumber, toInteger } from './numbers.ts';
import { unmarshalled } from './unmarshalled.ts';

type Update = Pick<UpdateCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames'> & {
  times: Record<`:${string}`, number>;
};

/** The login guard's places in RateCounters: l0..l4 lease ends, f0..f4 failure times, b the end of a block. */
export function createLoginGuardTable(client: DynamoDBDocumentClient, table: string, policy: LoginPolicy): GuardStore {
  const places = [...Array(policy.limit).keys()];

  async function update(source: string, { times, ...expressions }: Update): Promise<GuardRecord> {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { pk: `LOGIN#${source}` },
        ...expressions,
        ExpressionAttributeValues: times,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return toRecord(Attributes);
  }

  function toRecord(item: object | undefined): GuardRecord {
    const time = (name: string) => {
      const value = (item as Partial<Record<string, StoredNumber>> | undefined)?.[name];
      return value ? toInteger(value) : 0;
    };
    return {
      leases: places.map((place) => time(`l${place}`)),
      failures: places.map((place) => time(`f${place}`)),
      blockedUntilMs: time('b'),
    };
  }

  return {
    async lease(source, place, { nowMs, untilMs }) {
      const record = update(source, {
        UpdateExpression: `SET l${place} = :until, #ttl = :ttl`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ConditionExpression: [
          `(attribute_not_exists(l${place}) OR l${place} <= :now)`,
          `(attribute_not_exists(f${place}) OR f${place} <= :windowStart)`,
          '(attribute_not_exists(b) OR b <= :now)',
        ].join(' AND '),
        times: {
          ':now': nowMs,
          ':until': untilMs,
          ':windowStart': nowMs - policy.windowMs,
          ':ttl': Math.ceil((untilMs + policy.blockMs) / 1000),
        },
      });
      return record.then(
        (after) => ({ leased: true, record: after }),
        (error: unknown) => {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
          return { leased: false, record: toRecord(unmarshalled(error.Item)) };
        },
      );
    },
    release: (source, place) => update(source, { UpdateExpression: `SET l${place} = :free`, times: { ':free': 0 } }),
    fail: (source, place, nowMs) =>
      update(source, {
        UpdateExpression: `SET l${place} = :free, f${place} = :now`,
        times: { ':free': 0, ':now': nowMs },
      }),
    async block(source, untilMs) {
      await update(source, { UpdateExpression: 'SET b = :until', times: { ':until': untilMs } });
    },
  };
}
