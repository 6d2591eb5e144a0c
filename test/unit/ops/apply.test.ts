import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { DirectorySnapshot } from '../../../infra/ops/directory/change-directory.ts';
import { planEntry } from '../../../infra/ops/directory/plan-entry.ts';
import type { Entry } from '../../../infra/ops/directory/read-entries.ts';
import { keysIn, type RecordKey } from '../../../infra/ops/tables/directory-records.ts';
import { hashApiKey } from '../../../lib/access/access-rules.ts';
import { createMemoryDirectory } from '../../support/fakes/memory-directory.ts';
import { apiKey, applyLists, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { proves } from '../../rules/proves.ts';

const TENANT = 't.example';
const keys = keysIn(TENANT);
const { password: _, ...ana } = user;
const { username: _username, supplier_id: _supplier, ...bareAna } = ana;
const leo = { ...ana, user_id: '101', email: 'leo@x.example', username: 'leó'.normalize('NFC') };
const companies = [company, { ...company, company_id: '2' }];
const suppliers = [supplier, { ...supplier, supplier_id: '20', company_id: '2' }];
const file = { companies, suppliers, users: [ana, leo] };
const key = randomUUID();

const demoFile = readFileSync(new URL('../../../infra/local/demo/directory.yaml', import.meta.url), 'utf8');
const demoKeys = Array.from(demoFile.matchAll(/ key: (\S+)/g), ([, demoKey = '']) => demoKey);

const buildKeys = (...texts: string[]) => texts.map((text) => ({ ...apiKey, key: text }));

let directory: ReturnType<typeof createMemoryDirectory>;
beforeEach(() => {
  directory = createMemoryDirectory();
});

const apply = (content: Record<string, unknown>, tenant = TENANT) => applyLists(directory.records, tenant, content);

/** Applies a file to the stored entries. Returns the outcomes of the entries that are not left, without `tenants[0].`. */
async function applyForChanges(content: Record<string, unknown>) {
  const { outcomes } = await apply(content);
  const changes = Object.entries(outcomes).filter(([, outcome]) => outcome !== 'left');
  return Object.fromEntries(changes.map(([path, outcome]) => [path.replace('tenants[0].', ''), outcome]));
}

/** Applies a file to the stored entries. Returns its errors, without `tenants[0].`. */
async function applyForErrors(content: Record<string, unknown>): Promise<string[]> {
  const { outcomes } = await apply(content);
  const errors = Object.values(outcomes).flatMap((outcome) => (Array.isArray(outcome) ? (outcome as string[]) : []));
  return errors.map((error) => error.replace('tenants[0].', ''));
}

const inTwo = { company_id: '2' };
const moved = { ...supplier, ...inTwo };
const allMoved = 'suppliers[0] users[0] users[1]';
const withoutSupplier = { ...inTwo, supplier_id: undefined };
/** Builds a file that changes the users ana and leo. */
const change = (changes: object, leoChanges: object = {}) => ({
  users: [Object.assign({}, ana, changes), Object.assign({}, leo, leoChanges)],
});

it.each<[what: string, content: Record<string, unknown>, changedPaths: string]>([
  ['equals the stored entries', file, ''],
  ['omits optional properties', { users: [bareAna] }, ''],
  ['changes a name', { companies: [{ ...company, name: 'New' }] }, 'companies[0]'],
  ['moves a supplier with its users', { suppliers: [moved], ...change(inTwo, inTwo) }, allMoved],
  ['moves users that omit the supplier', { suppliers: [moved], ...change(withoutSupplier, withoutSupplier) }, allMoved],
  ['moves a user to another company and its supplier', change({ ...inTwo, supplier_id: '20' }), 'users[0]'],
  ['moves a login name to a later entry', change({ username: null }, { username: 'Ana' }), 'users[0] users[1]'],
  ['has a username that is the e-mail of the user', change({ username: 'ANA@x.example' }), 'users[0]'],
  ['has a username in another Unicode form', change({}, { username: 'leó'.normalize('NFD') }), ''],
  ['has blanks around an e-mail', change({ email: ` ${ana.email}\n` }), ''],
])('apply changes only what differs, and a second run changes nothing, if a file %s', async (_what, content, paths) => {
  await apply(file);
  expect(Object.keys(await applyForChanges(content)).join(' ')).toBe(paths);
  expect(await applyForChanges(content)).toEqual({});
});

it.each<[error: string, content: Record<string, unknown>]>([
  ['suppliers[0].company_id: company 3 does not exist', { suppliers: [{ ...supplier, company_id: '3' }] }],
  ['users[0].supplier_id: supplier 12 does not exist', change({ supplier_id: '12' })],
  ['companies[1]: is the same company as tenants[0].companies[0]', { companies: [company, company] }],
  ['users[1]: is the same user as tenants[0].users[0]', { users: [ana, { ...ana, email: 'z@x.example' }] }],
  ['users[1].email: is the login name of another user', change({}, { email: 'ANA@x.example' })],
  ['users[1].username: is the login name of another user', change({}, { username: 'ana@X.example' })],
  ['users[0].username: is the login name of another user', change({ username: leo.username }, { username: 'ana' })],
  ['users[0].username: is the login name of another user', change({ username: 'leó'.normalize('NFD') })],
  ['api_keys[1]: is the same api_key as tenants[0].api_keys[0]', { api_keys: [apiKey, apiKey] }],
  ['api_keys[0]: is the same api_key as tenants[0].api_keys[1]', { api_keys: [apiKey, { ...apiKey, key }] }],
  ['api_keys[1]: is the same api_key as', { api_keys: buildKeys(key, key.toUpperCase()) }],
  ['users[0].supplier_id: supplier 20 belongs to company 2, and the user to company 1', change({ supplier_id: '20' })],
  ['users[0].supplier_id: supplier 10 belongs to company 1, and the user to company 2', change(withoutSupplier)],
  ['suppliers[0].company_id: linked users would stay in the old company: 100, 101', { suppliers: [moved] }],
  ['users[0].password: must not contain the e-mail, user name', change({ password: 'Ana@x.example at work' })],
])('apply writes nothing of a file with the error %s', async (error, content) => {
  await apply({ ...file, api_keys: [apiKey] });
  const added = { ...company, company_id: '4' };
  const errors = await applyForErrors({ companies: [added], ...content });
  expect(errors).toContainEqual(expect.stringContaining(error));
  expect(directory.get(keys.company('4'))).toBeNull();
  expect(directory.get(keys.login('ana'))).toMatchObject({ user_id: '100' });
});

it.each([...demoKeys, demoKeys[0]!.toUpperCase(), '00000000-0000-0000-0000-000000000000'])(
  'apply rejects the public API key %s for a stack',
  async (publicKey) => {
    const error = 'api_keys[0].key: is public; without it, apply generates a key';
    expect(await applyForErrors({ companies, api_keys: buildKeys(publicKey) })).toEqual([error]);
  },
);

it('apply reports every error of a file', async () => {
  const users = change({ email: 'no' }, { ...inTwo, supplier_id: '12' });
  expect(await applyForErrors({ companies: [company], ...users })).toEqual([
    'users[0].email: must be an e-mail address of at most 200 characters',
    'users[1].company_id: company 2 does not exist',
    'users[1].supplier_id: supplier 12 does not exist',
  ]);
});

it('apply rejects an erased user', async () => {
  await apply(file);
  directory.change(keys.user('100'), { erased_at: '2026-06-01T00:00:00.000Z' });
  const error = 'users[0].user_id: user 100 was erased at 2026-06-01T00:00:00.000Z';
  expect(await applyForErrors({ users: [ana] })).toEqual([expect.stringContaining(error)]);
});

describe('the sessions of a user', () => {
  const applyUser = (changes: object) => apply({ ...lists, users: [{ ...user, ...changes }] });
  /** Returns the cutoff of the user's tokens from its record and from its account. */
  const getTokensFrom = () =>
    [keys.user('100'), keys.account('100')].map((each) => directory.get(each)?.['tokens_from']);
  beforeEach(() => applyUser({}));

  it.each([
    ['creates a user', {}],
    ['changes something else', { permissions: ['A'], license_active: false, email: 'other@x.example' }],
  ])('do not end if an apply %s', async (_what, changes) => {
    await applyUser(changes);
    expect(getTokensFrom()).toEqual([undefined, undefined]);
  });

  it.each([
    ['changes the password', { password: 'second-Secret-q7' }],
    ['removes the password', { password: null }],
    ['deactivates the user', { active: false }],
  ])('end once, in the record and in the account, if an apply %s', async (_what, changes) => {
    const before = Date.now();
    await applyUser(changes);
    const [ofUser, ofAccount] = getTokensFrom();
    expect(ofAccount).toBe(ofUser);
    expect(Date.parse(String(ofUser))).toBeGreaterThanOrEqual(before);
    expect((await applyUser(changes)).outcomes['tenants[0].users[0]']).toBe('left');
    // A change that ends no sessions keeps the cutoff.
    await applyUser({ ...changes, permissions: ['A'] });
    expect(getTokensFrom()).toEqual([ofUser, ofAccount]);
  });
});

it('apply generates a missing API key, shows it once, and later finds it by its company and name', async () => {
  const { shownKeys } = await apply({ companies, api_keys: [apiKey] });
  const [shownKey = ''] = shownKeys;
  const again = await apply({ companies, api_keys: [{ ...apiKey, status: 'INACTIVE' }] });
  expect(again).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'changed' }, shownKeys: [] });
  const stored = directory.get(keys.apiKey(hashApiKey(shownKey)));
  const validity = { valid_from: '2026-01-01T00:00:00.000Z', valid_until: '2026-12-31T23:59:59.999Z' };
  expect(stored).toMatchObject({ tenant: TENANT, status: 'INACTIVE', last4: shownKey.slice(-4), ...validity });
  expect(JSON.stringify(stored)).not.toContain(shownKey);
  for (const other of [{ name: 'Second' }, { company_id: '2' }]) {
    expect((await apply({ api_keys: [{ ...apiKey, ...other }] })).shownKeys).toEqual([expect.any(String)]);
  }
});

it('apply accepts several keys of one name, and rejects a key of another tenant', async () => {
  const content = { companies, api_keys: buildKeys(key, randomUUID()) };
  expect(await applyForChanges(content)).toMatchObject({ 'api_keys[0]': 'created', 'api_keys[1]': 'created' });
  const { outcomes } = await apply(content, 'other.example');
  const error = 'tenants[0].api_keys[0].key: belongs to another tenant';
  expect(outcomes['tenants[0].api_keys[0]']).toEqual([error]);
});

const time = '2026-06-01T00:00:00.000Z';
const full = { ...file, api_keys: [{ ...apiKey, key }] };
const keyOfKey = keys.apiKey(hashApiKey(key));

it.each<[list: string, entry: object, change: object, suspension: object, key: RecordKey]>([
  ['companies', company, { name: 'Renamed' }, { status: 'SUSPENDED' }, keys.company('1')],
  ['users', ana, { permissions: [] }, { active: false }, keys.user('100')],
  ['api_keys', { ...apiKey, key }, { name: 'New' }, { status: 'INACTIVE' }, keyOfKey],
])('apply does not end a suspension of %s by a command', async (list, entry, changes, suspension, recordKey) => {
  proves('auth/rule-4/endpoints', 'auth/rule-2/login', 'api-key/status');
  const stored = { ...suspension, [list === 'api_keys' ? 'revoked_at' : 'stopped_at']: time };
  await apply(full);
  directory.change(recordKey, stored);
  expect((await apply({ [list]: [entry] })).kept).toHaveLength(1);
  expect((await apply({ [list]: [{ ...entry, ...suspension }] })).kept).toEqual([]);
  expect(await applyForChanges({ [list]: [{ ...entry, ...changes }] })).toEqual({ [`${list}[0]`]: 'changed' });
  expect(directory.get(recordKey)).toMatchObject({ ...stored, ...changes });
});

it('a file ends a suspension that a file has made', async () => {
  await apply({ companies: [{ ...company, status: 'SUSPENDED' }] });
  expect(await applyForChanges({ companies: [company] })).toEqual({ 'companies[0]': 'changed' });
});

it.each<[what: string, kind: Entry['kind'], value: object, changedKey: RecordKey, change: object]>([
  ['a company that a command suspends', 'company', { ...company, name: 'N' }, keys.company('1'), { stopped_at: time }],
  ['a user that a command deactivates', 'user', { ...ana, active: false }, keys.user('100'), { stopped_at: time }],
  ['a key that is revoked', 'api_key', { ...apiKey, key, name: 'B' }, keyOfKey, { revoked_at: time }],
  ['a user whose supplier moves', 'user', { ...ana, permissions: [] }, keys.supplier('10'), inTwo],
  ['a user whose name another user gets', 'user', { ...ana, username: 'b' }, keys.login('b'), { user_id: '101' }],
])('an entry is not written after a change since its plan: %s', async (_what, kind, value, changedKey, changes) => {
  await apply(full);
  const entry = { kind, path: 'entry', tenant: TENANT, value } as Entry;
  const plan = await planEntry(entry, new DirectorySnapshot(directory.records));
  directory.change(changedKey, changes);
  expect(await directory.records.commit(plan.entity, plan.relatedChanges)).toBe(false);
});
