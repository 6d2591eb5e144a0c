import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type Account, deleteRecord, seedAccount } from '../../support/data/seed.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { seedSigningKey } from '../../support/service/tokens.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let proxy: EngineProxy;
beforeAll(async () => {
  proxy = await startEngineProxy(engine);
});
afterAll(() => proxy.close());
let account: Account;
type Table = 'Invoices' | 'Declarations';
type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: unknown };

const run = (command: string, ...args: readonly string[]) =>
  runOps(proxy.engine.endpoint, command, account.scope.tenant, ...args);
const check = () => run('restore-check');
const declare = () => declareInNewStore(engine, account.scope, { invoiceId: '1', amount: Math.random() * 1000 });
const put = (table: Table, Item: Item) => engine.client.send(new PutCommand({ TableName: engine.tables[table], Item }));
const remove = (table: Table, { pk, sk }: Item) =>
  engine.client.send(new DeleteCommand({ TableName: engine.tables[table], Key: { pk, sk } }));

/** Finds the first item of the tenant whose partition begins with a prefix, and that has a sort key. */
async function find(table: Table, prefix = '', sortKey: string | null = null): Promise<Item> {
  const items = await collectPages(scanPages<Item>(engine.client, { TableName: engine.tables[table] }));
  const begin = `${prefix}${account.scope.tenant}#`;
  return items.find(({ pk, sk }) => pk.startsWith(begin) && (sortKey === null || sk === sortKey))!;
}

/** Puts the item of the invoice 1 back after a change, as if only its table were restored. */
async function rollBackInvoice(change: () => Promise<unknown>): Promise<void> {
  const item = await find('Invoices', '', '1');
  await change();
  await put('Invoices', item);
}

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
    ['an old invoice', () => rollBackInvoice(declare), /invoice 1: revision 1, in the log 2$/m],
    [
      'an invoice that is older than its state history',
      () =>
        rollBackInvoice(() => runOps(engine.endpoint, 'set-state', account.scope.tenant, '1', 'REC', '--reason', 'x')),
      /invoice 1: version 2, in the state history 3$/m,
    ],
    [
      'a declared invoice that is missing',
      async () => remove('Invoices', await find('Invoices', '', '1')),
      /invoice 1: revision 0, in the log 1$/m,
    ],
    [
      'a declaration that is missing',
      async () => remove('Declarations', await find('Declarations')),
      /invoice 1: no declaration with revision 1\nd.+ log entry \d+#1: a declaration does not exist$/m,
    ],
    [
      'a gap in the log',
      async () => {
        const entry = await find('Declarations', 'LOG#');
        await remove('Declarations', entry);
        await put('Declarations', { ...entry, sk: 3 });
      },
      /log entry \d+#3: the previous entry is \d+#0$/m,
    ],
    [
      'a wrong counter',
      async () => put('Invoices', { ...(await find('Invoices', '', 'COUNT#2026-03#0')), '15PEN': 3 }),
      /2026-03-15 PEN: 1 counted, 2 stored$/m,
    ],
    ['a missing supplier', () => deleteRecord(engine, account.keys.supplier), /user \d+: the supplier \d+ does not/],
    ['a missing company', () => deleteRecord(engine, account.keys.company), /supplier \d+: the company \d+ does not/],
  ])('restore-check finds %s, and prints what to do', async (_, damage, difference) => {
    await damage();
    const { code, stdout, stderr } = await check();
    expect([code, stdout]).toEqual([1, expect.stringMatching(difference)]);
    expect(stderr).toMatch(/^For rows, .+ restore Invoices and Declarations again/);
  });

  // The writes are the new entry of the operator record, the epoch, and the completed entry.
  it.each([
    [0, 'close-connection', 'done'],
    [0, 'lose-response', 'started, done'],
    [1, 'close-connection', 'started, done'],
    [1, 'lose-response', 'started, done'],
    [2, 'close-connection', 'started, done'],
    [2, 'lose-response', 'done, done'],
  ] as const)(
    'after restore-check --new-epoch is killed at write %i (%s), another run completes it, and the entries are: %s',
    { tags: 'long' },
    async (index, how, statuses) => {
      const { cursor } = JSON.parse((await run('export-declarations', '--json')).stdout) as { cursor: string };
      let writes = 0;
      proxy.onCall = (operation) => {
        if (operation !== 'PutItem' || writes++ !== index) return;
        if (how === 'lose-response') proxy.injectFault({ how, times: 1 });
        proxy.injectFault({ how: 'close-connection' });
      };
      const { code } = await run('restore-check', '--new-epoch');
      expect(code).toBe(index === 2 ? 0 : 3);
      proxy.onCall = () => undefined;
      proxy.reset();
      expect((await run('restore-check', '--new-epoch')).code).toBe(0);
      const rejected = await run('export-declarations', '--since', cursor);
      expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('before the tables were restored')]);
      const { entries } = JSON.parse((await run('audit', '--json')).stdout) as { entries: OperatorEntry[] };
      expect(entries.map(({ status }) => status).join(', ')).toBe(statuses);
    },
  );

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
