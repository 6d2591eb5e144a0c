import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EntryErrors, planEntry } from '../../../infra/ops/directory/plan-entry.ts';
import type { Entry } from '../../../infra/ops/directory/read-entries.ts';
import { DirectorySnapshot } from '../../../infra/ops/directory/change-directory.ts';
import { keysIn, type RecordKey } from '../../../infra/ops/tables/directory-records.ts';
import { hashApiKey } from '../../../lib/access/access-rules.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { buildEqualOutcomes, apiKey, applyFile, company, lists, user } from '../../support/ops/apply-lists.ts';
import { changeRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let proxy: EngineProxy;
beforeAll(async () => {
  proxy = await startEngineProxy(engine);
});
afterAll(() => proxy.close());

let tenant: string;
beforeEach(() => {
  tenant = `t${newId()}.example`;
  proxy.reset();
});

/** Reads the records of the tenant whose sort keys begin with the prefix, by the rest of their sort keys. */
async function readRecords(prefix: string): Promise<Map<string, Record<string, unknown>>> {
  const { Items = [] } = await engine.client.send(
    new ScanCommand({ TableName: engine.tables.Directory, ConsistentRead: true, Limit: 1000 }),
  );
  const own = Items.filter(({ pk, sk }) => pk === `TENANT#${tenant}` && String(sk).startsWith(prefix));
  return new Map(own.map((item) => [String(item['sk']).slice(prefix.length), item]));
}

/** Expects that every login name leads to a user with this name, and every name in a user record to this user. */
async function expectSoundLogins() {
  const users = await readRecords('USER#');
  const recordedNames = [...users].flatMap(([id, { email, username }]) =>
    ([email, username] as (string | undefined)[]).flatMap((name) => (name ? [[name.toLowerCase(), id] as const] : [])),
  );
  const pointers = [...(await readRecords('LOGIN#'))].map(([name, item]) => [name, item['user_id']] as const);
  expect(new Map(pointers)).toEqual(new Map(recordedNames));
  expect(recordedNames.length).toBe(new Map(recordedNames).size);
}

const { password: _password, supplier_id: _supplier, username: _username, ...plain } = user;

it('parallel runs that give the same login names to different users leave each name to one user', async () => {
  const ids = ['1', '2', '3'];
  const names = ['a', 'b', 'c', 'd', 'e'];
  // Each run gives every user different names, which other runs give to other users.
  const runs = Array.from({ length: 5 }, (_, shift) => {
    const getName = (index: number) => names[(index + shift) % names.length] ?? '';
    const users = ids.map((id, index) => ({
      ...plain,
      user_id: id,
      email: `${getName(index)}@x.example`,
      ...(shift % 3 > 0 && { username: getName(index + shift) }),
    }));
    return users.filter((_user, index) => index !== shift % 4);
  });
  await applyFile(engine, tenant, { companies: [company] });
  await Promise.all(runs.map((users) => applyFile(proxy.engine, tenant, { users })));
  await expectSoundLogins();
  expect((await readRecords('USER#')).size).toBe(3);
});

it('parallel runs of one file generate one key, which only one run shows', async () => {
  const runs = await Promise.all(Array.from({ length: 3 }, () => applyFile(engine, tenant, lists)));
  expect(runs.flatMap(({ shownKeys }) => shownKeys)).toHaveLength(1);
  expect((await readRecords('KEY#')).size).toBe(1);
  for (const path of Object.keys(buildEqualOutcomes(''))) {
    const outcomes = runs.map(({ outcomes: each }) => each[path]);
    expect(outcomes.map(String).toSorted(), path).toEqual(['created', 'left', 'left']);
  }
  await expectSoundLogins();
});

it('an entry is planned again after a conflict, and releases its old login names', async () => {
  await applyFile(engine, tenant, lists);
  proxy.injectConflicts(1);
  const { outcomes } = await applyFile(proxy.engine, tenant, { users: [{ ...user, username: 'other' }] });
  expect(outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
  expect([...(await readRecords('LOGIN#')).keys()].toSorted()).toEqual(['ana@x.example', 'other']);
});

it('an entry with a conflict in every attempt is rejected, and entries that depend on it are not written', async () => {
  await applyFile(engine, tenant, lists);
  // The first entry that writes is tried 6 times.
  proxy.injectConflicts(6);
  const taker = { ...plain, user_id: '101', email: 'b@x.example', username: 'ana' };
  const key = { ...apiKey, status: 'INACTIVE' };
  const users = [{ ...user, username: 'other' }, taker];
  expect((await applyFile(proxy.engine, tenant, { users, api_keys: [key] })).outcomes).toEqual({
    'tenants[0]': 'left',
    'tenants[0].users[0]': ['tenants[0].users[0]: not changed, because others kept changing it; apply the file again'],
    'tenants[0].users[1]': ['tenants[0].users[1].username: is the login name of another user'],
    'tenants[0].api_keys[0]': 'changed',
  });
  await expectSoundLogins();
});

const renamed = { ...user, username: 'other' };

it.each([
  ['record', 'login', user],
  ['login', 'record', user],
  ['record', 'login', renamed],
  ['login', 'record', renamed],
  ['login', 'record', { ...user, username: 'third' }],
] as const)(
  'a user is not written if its %s was read before a change and its %s after it (%#)',
  async (first, _second, value) => {
    await applyFile(engine, tenant, { ...lists, users: [user] });
    const directory = createAdminPorts(engine).records;
    const keys = keysIn(tenant);
    const parts: Record<string, RecordKey[]> = {
      record: [keys.tenant, keys.company('1'), keys.supplier('10'), keys.user('100')],
      login: ['ana@x.example', 'ana', 'other', 'third'].map(keys.login),
    };
    const snapshot = new DirectorySnapshot(directory);
    await Promise.all(parts[first]!.map((key) => snapshot.get(key)));
    await applyFile(engine, tenant, { users: [renamed] });

    const entry = { kind: 'user', path: 'user', tenant, value } as const;
    const committed = planEntry(entry, snapshot).then(
      ({ changes }) => changes.some(({ after }) => after !== undefined) && directory.commit(changes),
    );
    const expectEntryErrors = (error: unknown) => expect(error).toBeInstanceOf(EntryErrors);
    expect(await committed.catch(expectEntryErrors)).not.toBe(true);
    await expectSoundLogins();
  },
);

const at = '2026-06-01T00:00:00.000Z';
const newcomer = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
const inactive = { ...apiKey, key: randomUUID(), status: 'INACTIVE' };
const buildCompanyKey = () => directoryKeys.company(tenant, '1');
const buildUserKey = () => directoryKeys.user(tenant, '100');
const buildKeyRecordKey = () => directoryKeys.apiKey(hashApiKey(inactive.key));
const buildSupplierKey = () => directoryKeys.supplier(tenant, '10');
const suspended = {
  companies: [
    { ...company, status: 'SUSPENDED' },
    { ...company, company_id: '2' },
  ],
  users: [{ ...user, active: false }],
};

it.each([
  ['a company that a command suspends', 'company', company, buildCompanyKey, { stopped_at: at }],
  ['a user that a command deactivates', 'user', user, buildUserKey, { stopped_at: at }],
  ['a key that is revoked', 'api_key', { ...inactive, status: 'ACTIVE' }, buildKeyRecordKey, { revoked_at: at }],
  ['a user whose supplier moves to another company', 'user', newcomer, buildSupplierKey, { company_id: '2' }],
] as const)(
  'an entry is not written after a change since its plan: %s',
  async (_what, kind, value, buildKey, change) => {
    const isKey = kind === 'api_key';
    await applyFile(engine, tenant, { ...lists, ...suspended, api_keys: isKey ? [inactive] : [] });
    const directory = createAdminPorts(engine).records;
    const entry = { kind, path: 'entry', tenant, value } as Entry;
    const { changes } = await planEntry(entry, new DirectorySnapshot(directory));
    await changeRecord(engine, buildKey(), change);
    const [before, changed] = [await readRecords(''), await readRecord(engine, buildKey())];
    expect(await directory.commit(changes)).toBe(false);
    expect([await readRecords(''), await readRecord(engine, buildKey())]).toEqual([before, changed]);
  },
);

it('a file of 150 unchanged users is read in a few calls and causes no write', async () => {
  const users = Array.from({ length: 150 }, (_, index) => ({
    ...plain,
    user_id: `${1000 + index}`,
    email: `${index}@x.example`,
  }));
  const file = { companies: [company], users };
  await applyFile(engine, tenant, file);
  const { outcomes } = await applyFile(proxy.engine, tenant, file);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(['left']));
  expect(new Set(proxy.calls.map(({ operation }) => operation))).toEqual(new Set(['BatchGetItem']));
  expect(proxy.calls.length).toBeLessThan(12);
});
