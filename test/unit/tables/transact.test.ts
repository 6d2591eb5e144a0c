import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { sendTransaction } from '../../../lib/tables/dynamodb/writes.ts';

function cancelledFor(codes: readonly (string | undefined)[]) {
  const cancelled = new TransactionCanceledException({
    message: 'cancelled',
    $metadata: { attempts: 2 },
    CancellationReasons: codes.map((Code) => {
      return { Code, ...(Code === 'ConditionalCheckFailed' && { Item: { pk: { S: 'a' } } }) };
    }),
  });
  return { cancelled, client: { send: () => Promise.reject(cancelled) } as unknown as DynamoDBDocumentClient };
}

const nothing = { TransactItems: [] };

describe('a transaction', () => {
  it('is written when the table takes it, and fails with any error but a cancellation', async () => {
    const client = { send: async () => ({}) } as unknown as DynamoDBDocumentClient;
    expect(await sendTransaction(client, nothing)).toEqual({ kind: 'committed' });
    const failing = { send: () => Promise.reject(new Error('no connection')) } as unknown as DynamoDBDocumentClient;
    await expect(sendTransaction(failing, nothing)).rejects.toThrow('no connection');
  });

  it.each([
    [['ConditionalCheckFailed', 'None'], { conditionFailed: true, current: [{ pk: 'a' }] }],
    [['None', 'TransactionConflict'], { conditionFailed: false, current: [] }],
    [['TransactionConflict', 'ConditionalCheckFailed'], { conditionFailed: true, current: [{ pk: 'a' }] }],
  ])('loses a race when it is cancelled for %j', async (codes, found) => {
    const { client } = cancelledFor(codes);
    expect(await sendTransaction(client, nothing)).toEqual({ kind: 'conflict', ...found, attempts: 2 });
  });

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])('loses a race to %s only if asked to', async (code) => {
    const { client, cancelled } = cancelledFor([code, 'ConditionalCheckFailed']);
    await expect(sendTransaction(client, nothing)).rejects.toBe(cancelled);
    expect(await sendTransaction(client, nothing, { overloadIsConflict: true })).toMatchObject({ kind: 'conflict' });
  });

  it.each([[['ValidationError', 'ConditionalCheckFailed']], [['None']], [[]]])('fails for %j', async (codes) => {
    const { client, cancelled } = cancelledFor(codes);
    await expect(sendTransaction(client, nothing, { overloadIsConflict: true })).rejects.toBe(cancelled);
  });
});
