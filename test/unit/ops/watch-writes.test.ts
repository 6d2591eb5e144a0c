import {
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { createOperatorEntries, type OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import {
  watchWrites,
  WHOLE_SERVICE,
  type WriteObserver,
  type WriteScope,
} from '../../../infra/ops/tables/watch-writes.ts';
import { toAttributeValues } from '../../../lib/tables/dynamodb/values.ts';
import { buildHistoryPartition, buildInvoiceKey, directoryKeys } from '../../../lib/tables/keys.ts';

const tenant = 'demo.example';
const scope = { tenant, supplierId: '200' };
const key = buildInvoiceKey(scope, '9001');
const TableName = 'Invoices';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
/** Creates the settings of a client that sends nothing, and counts the calls that it would send. */
function createTransport() {
  const handle = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('sent')));
  return { handle, settings: { region: 'us-east-1', credentials, maxAttempts: 1, requestHandler: { handle } } };
}

function watchClient(writeScope: WriteScope, observer: WriteObserver | null) {
  const { handle, settings } = createTransport();
  const base = new DynamoDBClient(settings);
  watchWrites(base, writeScope, observer);
  return { client: documents.DynamoDBDocumentClient.from(base), handle };
}

function createObserver() {
  const tenants: string[] = [];
  return { tenants, beforeWrite: async (written: string) => void tenants.push(written), afterWrite: () => undefined };
}

const put = (Item: object) => new documents.PutCommand({ TableName, Item: Item as Record<string, unknown> });
const writes = {
  put: put(key),
  update: new documents.UpdateCommand({ TableName, Key: key }),
  delete: new documents.DeleteCommand({ TableName, Key: key }),
  transaction: new documents.TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: key } }] }),
  'put of an item with converted values': new PutItemCommand({ TableName, Item: toAttributeValues(key) }),
  'update of an item with converted values': new UpdateItemCommand({ TableName, Key: toAttributeValues(key) }),
  'delete of an item with converted values': new DeleteItemCommand({ TableName, Key: toAttributeValues(key) }),
  'transaction with converted values': new TransactWriteItemsCommand({
    TransactItems: [{ Delete: { TableName, Key: toAttributeValues(key) } }],
  }),
};
type AnyCommand = documents.PutCommand;

it.each(Object.entries(writes))(
  'a call that writes is announced and sent, except in a dry run: %s',
  async (_, command) => {
    const observer = createObserver();
    const { client, handle } = watchClient(scope, observer);
    await expect(client.send(command as AnyCommand)).rejects.toThrow('sent');
    expect([observer.tenants, handle.mock.calls.length]).toEqual([[tenant], 1]);
    const dryRun = watchClient(scope, null);
    await dryRun.client.send(command as AnyCommand);
    expect(dryRun.handle).not.toHaveBeenCalled();
  },
);

it('a read is sent, also in a dry run', async () => {
  const { client, handle } = watchClient(scope, null);
  await expect(client.send(new documents.GetCommand({ TableName, Key: key }))).rejects.toThrow('sent');
  expect(handle).toHaveBeenCalledOnce();
});

const other = { tenant: 'other.example', supplierId: '200' };
const transact = (...pks: string[]) =>
  new documents.TransactWriteCommand({
    TransactItems: pks.map((pk) => ({ Put: { TableName, Item: { ...key, pk } } })),
  });

/** Manipulated writes of a command for supplier 200 of demo.example, such as a bug with the ids of a file would send. */
const foreignWrites: Record<string, object> = {
  'an invoice of another tenant': put(buildInvoiceKey(other, '9001')),
  'an invoice of another supplier': put(buildInvoiceKey({ tenant, supplierId: '201' }, '9001')),
  'a history of another tenant': put({ pk: buildHistoryPartition(other, '9001'), sk: 1 }),
  'a history of another supplier': put({ pk: buildHistoryPartition({ tenant, supplierId: '201' }, '9001'), sk: 1 }),
  'a tenant': put(directoryKeys.tenant(other.tenant)),
  'a user of another tenant': put(directoryKeys.user(other.tenant, '300')),
  'an account of another tenant': put(directoryKeys.account(other.tenant, '300')),
  'a supplier': put(directoryKeys.supplier(tenant, '201')),
  'a signing key': put(directoryKeys.publicKey('a')),
  'an entry of the operator record': put({ pk: `OPERATOR#${tenant}`, sk: 'a' }),
  'invoices of two tenants': transact('demo.example#200', 'other.example#200'),
  'invoices of two suppliers': transact('demo.example#200', 'demo.example#201'),
  'a statement of PartiQL': new documents.ExecuteStatementCommand({ Statement: `DELETE FROM "Invoices"` }),
  'a batch': new documents.BatchWriteCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item: key } }] } }),
};

it.each(Object.entries(foreignWrites))(
  'a command for one supplier cannot write %s, in a dry run too',
  async (_, command) => {
    for (const observer of [createObserver(), null]) {
      const { client, handle } = watchClient(scope, observer);
      await expect(client.send(command as AnyCommand)).rejects.toThrow(
        /^Nothing was written|cannot be checked|has no keys/,
      );
      expect([handle.mock.calls.length, observer?.tenants ?? []]).toEqual([0, []]);
    }
  },
);

it('a command for a tenant can write each of its suppliers, and a command for the service each tenant', async () => {
  const commands = [transact('demo.example#200', 'demo.example#201'), put(directoryKeys.apiKey('hash'))];
  for (const command of commands) await watchClient({ tenant }, null).client.send(command as AnyCommand);
  await watchClient({ tenant: WHOLE_SERVICE }, null).client.send(put(directoryKeys.tenant(other.tenant)));
});

it('the operator record is written without a check, and its writes are not recorded', async () => {
  const observer = createObserver();
  const { client, handle } = watchClient(scope, observer);
  const entry = { tenant, time: '', id: '', status: 'started' } as OperatorEntry;
  await expect(createOperatorEntries(client, 'Directory').write(entry)).rejects.toThrow('sent');
  expect([observer.tenants, handle.mock.calls.length]).toEqual([[], 1]);
});

describe('the items of a call', () => {
  async function countItems(command: object) {
    const counted: object[] = [];
    const base = new DynamoDBClient(createTransport().settings);
    watchWrites(base, { tenant }, { beforeWrite: async () => {}, afterWrite: (_, items) => void counted.push(items) });
    // Replaces the transport: the call succeeds.
    base.middlewareStack.add(() => async () => ({ output: { $metadata: {} }, response: {} }), {
      step: 'initialize',
      priority: 'low',
    });
    await documents.DynamoDBDocumentClient.from(base).send(command as AnyCommand);
    return counted;
  }

  it('are its invoices, and not their histories', async () => {
    const history = { pk: buildHistoryPartition(scope, '9001'), sk: 1 };
    const TransactItems = [key, history, { ...key, sk: '9002' }].map((Item) => ({ Put: { TableName, Item } }));
    expect(await countItems(new documents.TransactWriteCommand({ TransactItems }))).toEqual([
      { invoices: 2, entries: [] },
    ]);
  });

  it('are the entries of the directory, and not what refers to them', async () => {
    const keys = [
      directoryKeys.tenant(tenant),
      directoryKeys.company(tenant, '100'),
      directoryKeys.supplier(tenant, '200'),
      directoryKeys.user(tenant, '300'),
      directoryKeys.login(tenant, 'ana'),
      directoryKeys.account(tenant, '300'),
      directoryKeys.apiKey('hash'),
      directoryKeys.listedApiKey(tenant, 'hash'),
      directoryKeys.apiKeyName(tenant, '100', 'ERP'),
    ];
    const TransactItems = keys.map((Item) => ({ Put: { TableName, Item } }));
    const entries = ['TENANT', 'COMPANY#100', 'SUPPLIER#200', 'USER#300', 'USER#300', 'KEY#hash', 'KEY#hash'];
    expect(await countItems(new documents.TransactWriteCommand({ TransactItems }))).toEqual([{ invoices: 0, entries }]);
  });
});
