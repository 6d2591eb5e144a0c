import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freezeTable, thawTable } from '../../../lib/admin/tables/freeze-table.ts';
import { createTableFreeze } from '../../../lib/storage/tables/table-freeze.ts';
import { newTable } from '../../support/data/raw-tables.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type AwsStandIn, startAwsStandIn } from '../../support/engine/aws-stand-in.ts';
import { type PolicyProxy, startPolicyProxy } from '../../support/engine/policy-proxy.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { headersOf, type Invoke, loadHandlers } from '../../support/service/handlers.ts';
import { seedSigningKey, tokenFor } from '../../support/service/tokens.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let cloud: PolicyProxy;
let aws: AwsStandIn;
/** The table that is to replace Invoices, which it could do for an index that only a new table can have. */
let next: string;

beforeAll(async () => {
  cloud = await startPolicyProxy(engine);
  next = (await newTable(engine, { pk: 'S', sk: 'S' })).name;
  const outputs = Object.entries({ ...engine.tables, Invoices2: next }).map(([name, table]) => [`${name}Table`, table]);
  aws = await startAwsStandIn({
    stack: 'Portal-prod',
    outputs: Object.fromEntries(outputs) as Record<string, string>,
    callerArn: 'arn:aws:iam::123456789012:user/ana',
    functionResult: {},
  });
});
afterAll(() => Promise.all([aws.close(), cloud.close()]));

const onStack = (...args: string[]) =>
  runCli([...args, '--stack', 'Portal-prod', '--region', 'us-east-1'], {
    env: { ...aws.env, AWS_ENDPOINT_URL_DYNAMODB: cloud.engine.endpoint },
  });

/** The commands find AWS in the environment of the process. */
beforeAll(() => {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_REGION: 'us-east-1' };
  Object.assign(process.env, aws.env, credentials, { AWS_ENDPOINT_URL_DYNAMODB: cloud.engine.endpoint });
});

describe('replacing a table', () => {
  it(
    'loses no write: it is frozen, copied, and the service goes on with the new one',
    { timeout: 60_000 },
    async () => {
      const account = await seedAccount(engine);
      const invoices = Array.from({ length: 12 }, () => anInvoice({ state: 'PEN' }));
      await seedInvoices(engine, account.scope, invoices);
      const ids = invoices.map(({ invoiceId }) => invoiceId);
      const token = await tokenFor(account.reference, await seedSigningKey(engine));
      const serviceOn = async (tables: typeof engine.tables): Promise<Invoke> => {
        const invoke = await loadHandlers({ ...cloud.engine, tables });
        return (name, request = {}) => invoke(name, { ...request, headers: headersOf(account, token) });
      };
      const declare = (call: Invoke, at: number) =>
        call('declare-invoice', { body: { invoice_id: ids[at], amount: 1000 + at } });
      const list = async (call: Invoke) =>
        (await call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } })).body;

      const before = await serviceOn(engine.tables);
      expect((await declare(before, 0)).status).toBe(200);
      expect(await onStack('copy-table', 'Invoices', 'Invoices2')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('freeze it first (freeze-table Invoices)'),
      });

      cloud.spread = 3;
      const frozen = await onStack('freeze-table', 'Invoices', '--yes');
      expect(frozen).toMatchObject({ code: 0, stdout: expect.stringContaining('is frozen: writes are denied.') });
      // What its users see meanwhile.
      const refused = await declare(before, 1);
      expect(refused).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
      const batch = await before('declare-batch', { body: { declarations: [{ invoice_id: ids[1], amount: 1 }] } });
      expect(batch).toMatchObject({
        status: 200,
        body: { data: { results: [{ error: { code: 'INTERNAL_ERROR' } }] } },
      });
      const check = await before('validate-amount', { body: { invoice_id: ids[1], amount: 1 } });
      expect(check.status).toBe(200);
      const seen = await list(before);
      expect(seen).toMatchObject({ meta: { total: 12 } });

      const copied = await onStack('copy-table', 'Invoices', 'Invoices2');
      expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining('The tables are equal.') });
      const tables = { ...engine.tables, Invoices: next };
      const after = await serviceOn(tables);
      expect(await list(after)).toEqual(seen);
      // The client repeats what was refused.
      expect((await declare(after, 1)).status).toBe(200);
      const { body } = await after('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${ids[0]}` });
      expect(body).toMatchObject({ data: { declared_amount: 1000 } });
      expect(await list(after)).toMatchObject({ meta: { total: 12 } });
    },
  );

  it('lets in only who has logged in from there before, while Directory is frozen; tokens go on working', async () => {
    const account = await seedAccount(engine);
    const signingKey = await seedSigningKey(engine);
    const invoke = await loadHandlers(cloud.engine);
    const headers = headersOf(account, await tokenFor(account.reference, signingKey));
    const body = { email: account.email, password: account.password };
    const logIn = (sourceIp: string) => invoke('login', { headers, body, sourceIp });
    expect((await logIn('192.0.2.1')).status).toBe(200);
    const freeze = createTableFreeze(cloud.engine.client, engine.tables.Directory);
    await freezeTable(freeze, async () => undefined);
    expect((await logIn('192.0.2.1')).status).toBe(200);
    expect((await logIn('192.0.2.2')).status).toBe(503);
    const query = { startdate: '2026-03-01', enddate: '2026-03-31' };
    expect((await invoke('list-invoices', { headers, query })).status).toBe(200);
    await thawTable(freeze);
  });

  it('can be called off: the old table is thawed, and goes on', async () => {
    const freeze = createTableFreeze(cloud.engine.client, engine.tables.Declarations);
    await freezeTable(freeze, async () => undefined);
    expect(await freeze.isDenied()).toBe(true);
    expect(await onStack('thaw-table', 'Declarations')).toMatchObject({ code: 0 });
    expect(await freeze.isDenied()).toBe(false);
    expect(await thawTable(freeze)).toBe('open');
  });

  it('believes a freeze only after writes have been denied for a while, and gives up in the end', async () => {
    const freeze = createTableFreeze(cloud.engine.client, engine.tables.Directory);
    let waits = 0;
    cloud.spread = 7;
    await freezeTable(freeze, async () => waits++);
    expect(waits).toBe(7 + 9);
    cloud.spread = Number.POSITIVE_INFINITY;
    await expect(freezeTable(freeze, async () => undefined)).rejects.toThrow('run the command again');
    cloud.spread = 0;
    await thawTable(freeze);
  });

  it('touches no policy that is somebody else`s', async () => {
    const table = engine.tables.Declarations;
    cloud.policies.set(table, '{"Statement":[{"Effect":"Allow"}]}');
    for (const command of [['freeze-table', '--yes'], ['thaw-table']]) {
      expect((await onStack(command[0]!, 'Declarations', ...command.slice(1))).code).toBe(2);
    }
    expect(cloud.policies.get(table)).toContain('Allow');
    cloud.policies.clear();
  });
});

describe('copy-table', () => {
  it.each([
    [['Invoices', 'Invoices'], 'cannot be copied into itself'],
    [['Invoices2', 'Invoices'], 'The service works on'],
    [['Nothing', 'Invoices2'], 'There is no table Nothing.'],
    [['Invoices', 'Nothing'], 'There is no table Nothing.'],
  ])('refuses %s', async (args, message) => {
    expect(await onStack('copy-table', ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('needs a module with a function, and says so', async () => {
    await freezeTable(createTableFreeze(cloud.engine.client, engine.tables.Invoices), async () => undefined);
    const file = join(tmpdir(), `transform-${process.pid}.mjs`);
    await writeFile(file, 'export const nothing = 1;');
    for (const [transform, message] of [
      [file, 'no function as its default export'],
      ['/nowhere.mjs', 'cannot be loaded'],
    ] as const) {
      const { code, stderr } = await onStack('copy-table', 'Invoices', 'Invoices2', '--transform', transform);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
  });

  it('says with --dry-run what differs, copies nothing, and ends with 1 while the tables differ', async () => {
    const { name } = await newTable(engine, { pk: 'S', sk: 'S' });
    const dry = await onStack('copy-table', 'Invoices', name, '--dry-run', '--json');
    expect(dry.code).toBe(1);
    expect(JSON.parse(dry.stdout)).toMatchObject({ copied: 0, equal: false, found: { items: 0 }, dry_run: true });
  });
});
