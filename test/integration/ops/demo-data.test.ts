import type { SampleAccount } from '../../../lib/contracts/contract.ts';
import { beforeAll, expect, it } from 'vitest';
import { loadDemo } from '../../../infra/local/start/demo.ts';
import { hashApiKey, requireActiveUser, requireApiKey, requireSupplier } from '../../../lib/access/access-rules.ts';
import { verifyPassword } from '../../../lib/access/passwords.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { createAccountTable } from '../../../lib/tables/account-table.ts';
import { createDirectoryTable } from '../../../lib/tables/directory-table.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';

const engine = useEngine();
let demo: SampleAccount;

beforeAll(async () => {
  demo = await loadDemo(engine, 'full');
});

const ana = { tenant: 'demo.example', supplierId: '200' };
const buildKey = (last4: string) => `7a1e9c52-3f0b-4d68-9b1f-5c2d84e6${last4}`;
const now = new Date('2026-08-31T12:00:00Z');

/** Finds the user with this login name, and checks its access in the same way as a read endpoint. */
async function authorizeUser(tenant: string, loginName: string, apiKey: string) {
  const table = createDirectoryTable(engine.client, engine.tables.Directory);
  const account = await table.findLogin(tenant, loginName);
  if (!account.user) throw new Error(`There is no user ${loginName}.`);
  const snapshot = await table.readSnapshot(account.user, hashApiKey(apiKey));
  requireApiKey(snapshot, tenant, now);
  const user = requireActiveUser(snapshot, now);
  return { account, caller: requireSupplier(snapshot, user, tenant, 'read') };
}

it('the demo data contain the account that npm start prints', async () => {
  const { account, caller } = await authorizeUser(demo.tenant, demo.email, demo.apiKey);
  const accounts = createAccountTable(engine.client, engine.tables.Directory, 'LOGIN');
  expect(await verifyPassword(demo.password, (await accounts.read(account, '192.0.2.1', 0)).passwordHash)).toBe(true);
  expect(caller).toMatchObject({ scope: ana, tolerance: { mode: 'PCT', source: 'proveedor' } });
});

it.each([
  ['bruno@demo.example', 'ABS', 'proveedor'],
  ['diego@demo.example', 'PCT', 'global'],
  ['sofia', null, 'ninguna', 'sur.example', buildKey('b001')],
])('%s has the tolerance %s from %s', async (name, mode, source, tenant = 'demo.example', key = buildKey('a001')) => {
  expect((await authorizeUser(tenant, name, key)).caller.tolerance).toMatchObject({ mode, source });
});

it.each([
  ['elena', 'FORBIDDEN'],
  ['fabio', 'UNAUTHORIZED'],
  ['gina', 'UNAUTHORIZED'],
  ['iris', 'UNAUTHORIZED'],
  ['jorge', 'UNAUTHORIZED'],
  ['hugo', 'COMPANY_SUSPENDED'],
  ['ana', 'UNAUTHORIZED', 'a002'],
  ['ana', 'UNAUTHORIZED', 'a003'],
])('%s is rejected with %s', async (name, code, key = 'a001') => {
  await expect(authorizeUser('demo.example', `${name}@demo.example`, buildKey(key))).rejects.toMatchObject({ code });
});

it('the account of the demo has an invoice in every state, and more than a page of invoices', async () => {
  const invoices = [...(await readStoredInvoices(engine, ana)).values()];
  expect(invoices).toHaveLength(32);
  expect(new Set(invoices.map((invoice) => invoice['state_code']))).toEqual(new Set(STATE_CODES));
  expect(invoices).toContainEqual(expect.not.objectContaining({ invoice_date: expect.anything() }));
  expect(invoices).toContainEqual(expect.objectContaining({ system_amount: 0 }));
  expect(invoices).toContainEqual(expect.objectContaining({ attachment_filename: expect.any(String) }));
  expect(invoices).toContainEqual(expect.objectContaining({ sort_date: '2026-08-31T03:00:00.000Z' }));
  expect(invoices).toContainEqual(expect.objectContaining({ sort_date: '2026-09-01T01:30:00.000Z' }));
  expect((await runOps(engine.endpoint, 'verify', ana.tenant)).stdout).toContain('0 differ');
});

it('changes of the demo data remain when the service starts again', async () => {
  await runOps(engine.endpoint, 'revoke-key', 'demo.example', 'a001');
  await runOps(engine.endpoint, 'set-state', 'demo.example', '9005', 'LIQ', '--reason', 'Paid');
  const before = await readStoredInvoices(engine, ana);
  expect(before.get('9005')).toMatchObject({ state_code: 'LIQ' });
  await loadDemo(engine, 'full');
  expect(await readStoredInvoices(engine, ana)).toEqual(before);
});
