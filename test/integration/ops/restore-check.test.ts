import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type Account, deleteRecord, seedAccount } from '../../support/data/seed.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { seedSigningKey } from '../../support/service/tokens.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let account: Account;
type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: unknown };

const check = () => runOps(engine.endpoint, 'restore-check', account.scope.tenant);
const remove = (table: 'Invoices' | 'Declarations', { pk, sk }: Item) =>
  engine.client.send(new DeleteCommand({ TableName: engine.tables[table], Key: { pk, sk } }));
const readAll = (table: 'Invoices' | 'Declarations') =>
  collectPages(scanPages<Item>(engine.client, { TableName: engine.tables[table] }));

/** Reads the item of the invoice 1, which is older than later changes. */
const readInvoice = async () =>
  (await readAll('Invoices')).find(
    ({ pk, sk }) => pk === `${account.scope.tenant}#${account.scope.supplierId}` && sk === '1',
  )!;
const putInvoice = (Item: Item) => engine.client.send(new PutCommand({ TableName: engine.tables.Invoices, Item }));
const findInLog = async () =>
  (await readAll('Declarations')).find(({ pk }) => pk.startsWith(`LOG#${account.scope.tenant}`))!;
const declare = () => declareInNewStore(engine, account.scope, { invoiceId: '1', amount: Math.random() * 1000 });

beforeEach(async () => {
  await seedSigningKey(engine);
  account = await seedAccount(engine);
  await seedInvoices(
    engine,
    account.scope,
    ['1', '2'].map((invoiceId) => buildInvoice({ invoiceId })),
  );
  await declare();
});

describe('restore-check', () => {
  it('restore-check finds no difference in tables that fit together, also with a withdrawn invoice', async () => {
    await declare();
    const { tenant } = account.scope;
    await runOps(engine.endpoint, 'withdraw-invoice', tenant, '1', '--reason', 'x', '--revision', '2');
    expect(await check()).toEqual({ code: 0, stdout: '1 tenant, 0 differences\n', stderr: '' });
  });

  it.each<[what: string, damage: () => Promise<unknown>, difference: RegExp]>([
    [
      'an invoice that is older than its declarations',
      async () => {
        const item = await readInvoice();
        await declare();
        await putInvoice(item);
      },
      /invoice 1: the declaration is [\d.]+ \(\d+#1\), in the log [\d.]+ \(\d+#2\)$/m,
    ],
    [
      'a declared invoice that is missing',
      async () => remove('Invoices', await readInvoice()),
      /invoice 1: the declaration is none, in the log /,
    ],
    [
      'a declaration that is missing in the history',
      async () =>
        remove(
          'Declarations',
          (await readAll('Declarations')).find(({ pk }) => pk.startsWith(account.scope.tenant))!,
        ),
      /invoice 1: the declaration is .+, in the history none\n(.*\n)*.+log entry \d+#1: a declaration does not exist$/m,
    ],
    [
      'a state change that is newer than its invoice',
      async () => {
        const item = await readInvoice();
        await runOps(engine.endpoint, 'set-state', account.scope.tenant, '1', 'REC', '--reason', 'x');
        await putInvoice(item);
      },
      /invoice 1: the version is 2, in the state history 3$/m,
    ],
    [
      'a gap in the log',
      async () => {
        const entry = await findInLog();
        await remove('Declarations', entry);
        await engine.client.send(new PutCommand({ TableName: engine.tables.Declarations, Item: { ...entry, sk: 3 } }));
      },
      /log entry \d+#3: the previous entry is \d+#0$/m,
    ],
    [
      'a wrong counter',
      () =>
        engine.client.send(
          new UpdateCommand({
            TableName: engine.tables.Invoices,
            Key: { pk: `${account.scope.tenant}#${account.scope.supplierId}`, sk: 'COUNT#2026-03#0' },
            UpdateExpression: 'ADD #name :one',
            ExpressionAttributeNames: { '#name': '15PEN' },
            ExpressionAttributeValues: { ':one': 1 },
          }),
        ),
      /2026-03-15 PEN: 1 counted, 2 stored$/m,
    ],
    [
      'a supplier that is missing',
      () => deleteRecord(engine, account.keys.supplier),
      /user \d+: the supplier \d+ does not exist$/m,
    ],
    [
      'a company that is missing',
      () => deleteRecord(engine, account.keys.company),
      /supplier \d+: the company \d+ does not exist$/m,
    ],
  ])('restore-check finds %s, and tells what to do', async (_, damage, difference) => {
    await damage();
    const { code, stdout, stderr } = await check();
    expect([code, stdout]).toEqual([1, expect.stringMatching(difference)]);
    expect(stderr).toMatch(/^For rows, .+ restore Invoices and Declarations again/);
  });

  it('restore-check finds missing signing keys and an empty Directory, and asks before it starts a new epoch', async () => {
    const setting = { env: { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint } };
    const unasked = await runCli(['restore-check', account.scope.tenant, '--new-epoch', '--local'], setting);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
    const records = await collectPages(
      scanPages<{ pk: string; sk: string }>(engine.client, { TableName: engine.tables.Directory }),
    );
    const publicKeys = records.filter(({ pk }) => pk === directoryKeys.publicKey('').pk);
    for (const key of publicKeys) await deleteRecord(engine, { pk: key.pk, sk: key.sk });
    expect((await check()).stdout).toMatch(/no public signing key is in use\n1 tenant, 1 difference\n$/);
    for (const { pk, sk } of records) await deleteRecord(engine, { pk, sk });
    expect((await runOps(engine.endpoint, 'restore-check')).stderr).toContain('Directory has no tenant');
  });
});
