import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';

function cancelWith(codes: readonly (string | undefined)[]) {
  const error = new TransactionCanceledException({
    message: 'cancelled',
    $metadata: { attempts: 2 },
    CancellationReasons: codes.map((Code) => {
      return { Code, ...(Code === 'ConditionalCheckFailed' && { Item: { pk: { S: 'a' } } }) };
    }),
  });
  return { error, client: { send: () => Promise.reject(error) } as unknown as DynamoDBDocumentClient };
}

const nothing = { TransactItems: [] };

describe('sendTransaction', () => {
  it('sendTransaction returns committed after a successful write, and rethrows any error except a cancellation', async () => {
    const client = { send: async () => ({}) } as unknown as DynamoDBDocumentClient;
    expect(await sendTransaction(client, nothing)).toEqual({ kind: 'committed' });
    const failing = { send: () => Promise.reject(new Error('no connection')) } as unknown as DynamoDBDocumentClient;
    await expect(sendTransaction(failing, nothing)).rejects.toThrow('no connection');
  });

  it.each([
    [
      ['ConditionalCheckFailed', 'None', 'TransactionConflict'],
      [
        { index: 0, isConditionFailed: true, current: { pk: 'a' } },
        { index: 2, isConditionFailed: false, current: undefined },
      ],
    ],
    [['None', 'TransactionConflict'], [{ index: 1, isConditionFailed: false, current: undefined }]],
  ])(
    'sendTransaction returns a conflict with the failed writes for the cancellation reasons %j',
    async (codes, failedWrites) => {
      const { client } = cancelWith(codes);
      expect(await sendTransaction(client, nothing)).toEqual({ kind: 'conflict', failedWrites, attempts: 2 });
    },
  );

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'sendTransaction returns a conflict for %s only with isOverloadConflict',
    async (code) => {
      const { client, error } = cancelWith([code, 'ConditionalCheckFailed']);
      await expect(sendTransaction(client, nothing)).rejects.toBe(error);
      expect(await sendTransaction(client, nothing, { isOverloadConflict: true })).toMatchObject({ kind: 'conflict' });
    },
  );

  it.each([[['ValidationError', 'ConditionalCheckFailed']], [['None']], [[]]])(
    'sendTransaction rethrows a cancellation for the reasons %j',
    async (codes) => {
      const { client, error } = cancelWith(codes);
      await expect(sendTransaction(client, nothing, { isOverloadConflict: true })).rejects.toBe(error);
    },
  );
});
