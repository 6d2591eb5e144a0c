import { DescribeTableCommand, PutItemCommand, QueryCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { expect, it } from 'vitest';
import { toTableDefinition } from '../../../infra/local/read-stack.ts';
import { createTables } from '../../../infra/local/engine-client.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
const text = AttributeType.STRING;

/** The one table of a stack, with its logical id, before or after it got an index. */
function tableOf({ indexed }: { indexed: boolean }) {
  const stack = new Stack(new App(), 'Stack');
  const keys = { partitionKey: { name: 'pk', type: text }, sortKey: { name: 'sk', type: text } };
  const table = new Table(stack, 'Invoices', { ...keys, billingMode: BillingMode.PAY_PER_REQUEST });
  if (indexed) table.addGlobalSecondaryIndex({ indexName: 'by_city', partitionKey: { name: 'city', type: text } });
  const [entry] = Object.entries(Template.fromStack(stack).findResources('AWS::DynamoDB::Table'));
  return entry as Parameters<typeof toTableDefinition>[0];
}

const before = toTableDefinition(tableOf({ indexed: false })).input;
const after = toTableDefinition(tableOf({ indexed: true })).input;
const find = (city: string) =>
  engine.client.send(
    new QueryCommand({
      TableName: after.TableName,
      IndexName: 'by_city',
      KeyConditionExpression: 'city = :city',
      ExpressionAttributeValues: { ':city': { S: city } },
    }),
  );
const indexesOf = async ({ TableName }: { readonly TableName?: string | undefined }) =>
  (await engine.client.send(new DescribeTableCommand({ TableName }))).Table?.GlobalSecondaryIndexes;
const put = (sk: string, city: object) =>
  engine.client.send(
    new PutItemCommand({ TableName: before.TableName, Item: { pk: { S: 'p' }, sk: { S: sk }, city } as never }),
  );

it('a new index changes the table that is there, and finds what was written before it', async () => {
  // The same resource with the same keys: CloudFormation changes it, and does not replace it.
  expect(after).toMatchObject({ TableName: before.TableName, KeySchema: before.KeySchema });
  await createTables(engine.endpoint, [{ input: before, timeToLiveAttribute: undefined }]);
  for (let sk = 0; sk < 30; sk++) await put(String(sk), sk % 3 === 0 ? { N: '1' } : { S: 'Mendoza' });

  const { AttributeDefinitions, GlobalSecondaryIndexes = [] } = after;
  const updates = GlobalSecondaryIndexes.map((index) => ({ Create: index }));
  const change = { TableName: before.TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: updates };
  await engine.client.send(new UpdateTableCommand(change));
  await expect.poll(() => indexesOf(before), { timeout: 20_000 }).toMatchObject([{ IndexStatus: 'ACTIVE' }]);
  expect((await find('Mendoza')).Count).toBe(20);

  await put('new', { S: 'Mendoza' });
  expect((await find('Mendoza')).Count).toBe(21);
  // The trap of every new index: from now on a value of another type is refused.
  await expect(put('other', { N: '2' })).rejects.toMatchObject({ name: 'ValidationException' });
});

it('the service on this machine makes a table with its index, and refuses data of a version without it', async () => {
  const create = (input: typeof after) =>
    createTables(engine.endpoint, [{ input: { ...input, TableName: 'Indexed' }, timeToLiveAttribute: undefined }]);
  for (let start = 0; start < 2; start++) await create(after);
  expect(await indexesOf({ TableName: 'Indexed' })).toMatchObject([{ IndexName: 'by_city' }]);
  const words = 'The data were created by another version, whose table Indexed differs. Use a new folder: --data DIR.';
  await expect(create(before)).rejects.toThrow(words);
});
