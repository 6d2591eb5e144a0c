import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { buildClientSettings, buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { outputDirectory } from '../../../infra/local/synthesize.ts';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { readBlock } from '../../support/guides/readme.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
mkdirSync(outputDirectory, { recursive: true });
// The sample imports packages of the repository, so its folder is inside the repository.
const folder = mkdtempSync(join(outputDirectory, 'repeated-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllEnvs());

type ApplyOnce = (eventId: string, change: TransactWriteItem) => Promise<void>;
let applyOnce: ApplyOnce;

beforeAll(async () => {
  const client = new DynamoDBClient(buildClientSettings(engine.endpoint));
  for (const [TableName, AttributeName] of [
    ['SeenEvents', 'event_id'],
    ['Totals', 'invoice'],
  ] as const)
    await client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      }),
    );
  client.destroy();
  for (const [name, value] of Object.entries(buildEngineEnvironment(engine.endpoint))) vi.stubEnv(name, value);
  const file = join(folder, 'apply-once.ts');
  writeFileSync(file, readBlock('infra/openapi/events.md', 'Repeated events', 'ts'));
  ({ applyOnce } = (await import(file)) as { applyOnce: ApplyOnce });
});

const buildAddition = (invoice: string, condition?: string): TransactWriteItem => ({
  Update: {
    TableName: 'Totals',
    Key: { invoice: { S: invoice } },
    UpdateExpression: 'ADD declarations :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ...(condition !== undefined && { ConditionExpression: condition }),
  },
});
const readTotal = async (invoice: string) => {
  const { Item } = await engine.client.send(new GetCommand({ TableName: 'Totals', Key: { invoice } }));
  return Number(String(Item?.['declarations'] ?? 0));
};

it('the sample of the guide applies a repeated event once', async () => {
  for (const id of ['e1', 'e1', 'e2', 'e1']) await applyOnce(id, buildAddition('9001'));
  expect(await readTotal('9001')).toBe(2);
});

it('the sample of the guide throws if the change fails, and applies the event later', async () => {
  await expect(applyOnce('e3', buildAddition('9002', 'attribute_exists(invoice)'))).rejects.toThrow(
    'ConditionalCheckFailed',
  );
  await applyOnce('e3', buildAddition('9002'));
  expect(await readTotal('9002')).toBe(1);
});
