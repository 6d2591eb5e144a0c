import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { keysIn } from '../../../infra/ops/tables/directory-records.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { createDirectoryTable } from '../../../lib/tables/directory-table.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import {
  apiKey,
  applyFile,
  buildEqualOutcomes,
  company,
  lists,
  supplier,
  user,
} from '../../support/ops/apply-lists.ts';
import { changeRecord, deleteRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let proxy: EngineProxy;
let tenant: string;
beforeAll(async () => void (proxy = await startEngineProxy(engine)));
afterAll(() => proxy.close());
beforeEach(() => {
  tenant = `t${newId()}.example`;
  proxy.reset();
});

const apply = async (file: Record<string, unknown>) => (await applyFile(engine, tenant, file)).outcomes;
const { username: _username, password: _password, supplier_id: _supplier, ...bareUser } = user;

it('apply keeps what the file omits and what a login has written, and removes what is null', async () => {
  const keys = [directoryKeys.tenant(tenant), directoryKeys.supplier(tenant, '10'), directoryKeys.user(tenant, '100')];
  const readAll = () =>
    Promise.all([...keys, directoryKeys.account(tenant, '100')].map((key) => readRecord(engine, key)));
  const table = createDirectoryTable(engine.client, engine.tables.Directory);
  const findLogin = async (name: string) => (await table.findLogin(tenant, name)).user;
  const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 10.5, auto_approve: true };
  const absolute = { mode: 'ABS', tolerance_abs: 10.5, auto_approve: true };
  const expiring = { ...user, expires_at: '2027-01-01' };
  await apply({ ...lists, tolerance, suppliers: [{ ...supplier, tolerance }], users: [expiring] });
  await changeRecord(engine, directoryKeys.user(tenant, '100'), { player_ids: ['phone'] });
  const before = await readAll();
  const userRecord = { username: 'ana', supplier_id: '10', expires_at: '2027-01-01T23:59:59.999Z' };
  expect(before.slice(2)).toMatchObject([userRecord, { password_hash: expect.any(String) }]);
  expect(await apply({ ...lists, users: [bareUser] })).toEqual(buildEqualOutcomes('left'));
  expect(await readAll()).toEqual(before);
  expect(await findLogin('ana')).toMatchObject({ userId: '100', companyId: '1', supplierId: '10' });

  const nothing = { username: null, password: null, supplier_id: null, expires_at: null };
  const removed = { ...lists, tolerance: null, suppliers: [{ ...supplier, tolerance: absolute }] };
  const left = { 'tenants[0].companies[0]': 'left', 'tenants[0].api_keys[0]': 'left' };
  const outcomes = await apply({ ...removed, users: [{ ...user, ...nothing }] });
  expect(outcomes).toEqual({ ...buildEqualOutcomes('changed'), ...left });
  const [tenantRecord, supplierRecord, changedUser, account] = await readAll();
  expect(tenantRecord).not.toHaveProperty('tolerance');
  expect(Object.keys(supplierRecord!['tolerance'] as object).toSorted()).toEqual(Object.keys(absolute).toSorted());
  for (const name of Object.keys(nothing)) expect(changedUser).not.toHaveProperty(name);
  expect(changedUser).toMatchObject({ player_ids: ['phone'] });
  expect(account).not.toHaveProperty('password_hash');
  expect([await findLogin('ana'), await findLogin(user.email)]).toMatchObject([null, { supplierId: null }]);
});

it.each([
  ['has changed since it was read', { ...company, name: 'Old' }],
  ['has a new attribute', { ...company, note: undefined }],
  ['was created since it was read', null],
])('a commit writes nothing if a record that it changes or only compares %s', async (_, before) => {
  await apply(lists);
  await changeRecord(engine, directoryKeys.company(tenant, '1'), { note: 'new' });
  const readCompanies = () =>
    Promise.all(['1', '2'].map((id) => readRecord(engine, directoryKeys.company(tenant, id))));
  const { records } = createAdminPorts(engine);
  const key = keysIn(tenant).company('1');
  const added = { company_id: '2', name: 'Second', status: 'ACTIVE' };
  const addition = { key: keysIn(tenant).company('2'), before: null, after: added };
  const after = { ...company, name: 'New' };
  for (const change of [{ before }, { before, after }])
    expect(await records.commit(addition, [{ key, ...change }])).toBe(false);
  expect(await readCompanies()).toEqual([expect.objectContaining({ name: 'Company', note: 'new' }), {}]);
  expect(await records.commit(addition, [{ key, before: company, after }])).toBe(true);
  expect(await readCompanies()).toMatchObject([{ name: 'New' }, added]);
});

/** Reads the records of the tenant whose sort keys begin with the prefix, by the rest of their sort keys. */
async function readRecords(prefix: string) {
  const pages = scanPages<Key & { [name: string]: string }>(engine.client, { TableName: engine.tables.Directory });
  const items = (await collectPages(pages)).filter(({ pk, sk }) => pk === `TENANT#${tenant}` && sk.startsWith(prefix));
  return new Map(items.map((item) => [item.sk.slice(prefix.length), item]));
}

it('parallel runs of one file generate one key, which only one run shows', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => applyFile(engine, tenant, lists)));
  expect(runs.flatMap(({ shownKeys }) => shownKeys)).toHaveLength(1);
  expect((await readRecords('KEY#')).size).toBe(1);
  for (const path of Object.keys(buildEqualOutcomes(''))) {
    const outcomes = runs.map(({ outcomes: each }) => each[path]);
    expect(outcomes.map(String).toSorted(), path).toEqual(['created', 'left', 'left']);
  }
});

it('an entry is planned again after a conflict, and releases its old login names', async () => {
  await apply(lists);
  proxy.injectConflicts(1);
  const { outcomes } = await applyFile(proxy.engine, tenant, { users: [{ ...user, username: 'other' }] });
  expect(outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
  expect([...(await readRecords('LOGIN#')).keys()].toSorted()).toEqual(['ana@x.example', 'other']);
});

it('apply ends at an entry that another command has made invalid', async () => {
  await apply(lists);
  const wait = () => deleteRecord(engine, directoryKeys.supplier(tenant, '10'));
  proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', times: 1, wait });
  const file = { users: [{ ...user, active: false }], api_keys: [{ ...apiKey, status: 'INACTIVE' }] };
  const { outcomes } = await applyFile(proxy.engine, tenant, file);
  const error = 'tenants[0].users[0].supplier_id: supplier 10 does not exist';
  expect(outcomes).toEqual({ 'tenants[0]': 'left', 'tenants[0].users[0]': [error] });
});
