import { CreateTableCommand, DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createTables } from '../../../infra/local/engine-client.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();

it('createTables enables the expiry of a table that an interrupted start has created without it', async () => {
  const { tables, tableNames } = readStack();
  const table = tables.find(({ input }) => input.TableName === tableNames.RateCounters)!;
  const input = { ...table.input, TableName: 'interrupted' };
  await engine.client.send(new CreateTableCommand(input));
  await createTables(engine.endpoint, [{ ...table, input }]);
  const { TimeToLiveDescription } = await engine.client.send(new DescribeTimeToLiveCommand(input));
  expect(TimeToLiveDescription).toEqual({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
});
