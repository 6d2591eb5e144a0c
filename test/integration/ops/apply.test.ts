import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/access/access-rules.ts';
import { hashPassword } from '../../../lib/access/passwords.ts';
import { createDirectoryRecords, type DirectoryRecords } from '../../../infra/ops/tables/directory-records.ts';
import { createDirectoryTable } from '../../../lib/tables/directory-table.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import {
  buildEqualOutcomes,
  apiKey,
  applyFile,
  company,
  lists,
  supplier,
  user,
} from '../../support/ops/apply-lists.ts';
import { changeRecord, newId, readRecord } from '../../support/data/seed.ts';
import { proves } from '../../rules/proves.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const applyEntries = (file: Record<string, unknown>, options = {}) => applyFile(engine, tenant, file, options);
const readUser = () => readRecord(engine, directoryKeys.user(tenant, '100'));
const readSupplier = () => readRecord(engine, directoryKeys.supplier(tenant, '10'));
const readCompany = (id: string) => readRecord(engine, directoryKeys.company(tenant, id));

it('apply changes only entries that differ, and replaces a tolerance completely', async () => {
  const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 10.5, auto_approve: true };
  const suppliers = [{ ...supplier, tolerance }];
  await applyEntries({ ...lists, suppliers });
  expect((await applyEntries({ ...lists, suppliers })).outcomes).toEqual(buildEqualOutcomes('left'));
  const absolute = { mode: 'ABS', tolerance_abs: 10.5, auto_approve: true };
  const { outcomes } = await applyEntries({ ...lists, suppliers: [{ ...supplier, tolerance: absolute }] });
  expect(outcomes).toEqual({ ...buildEqualOutcomes('left'), 'tenants[0].suppliers[0]': 'changed' });
  expect((await readSupplier())['tolerance']).not.toHaveProperty('tolerance_pct');
});

it('apply keeps the player ids of a user that it changes', async () => {
  await applyEntries(lists);
  await changeRecord(engine, directoryKeys.user(tenant, '100'), { player_ids: ['phone'] });
  expect((await applyEntries(lists)).outcomes).toEqual(buildEqualOutcomes('left'));
  await applyEntries({ ...lists, users: [{ ...user, active: false }] });
  expect(await readUser()).toMatchObject({ active: false, player_ids: ['phone'] });
});

it('apply rejects a password that contains a name of its user, also if it is stored, and writes nothing', async () => {
  const password = 'ana-at-work @x.example.org Ana@x.example';
  const error = 'must not contain the e-mail, user name, tenant or company of its user';
  await applyEntries(lists);
  const account = directoryKeys.account(tenant, '100');
  const stored = { password_hash: await hashPassword(password) };
  await changeRecord(engine, account, stored);
  const companies = [{ ...company, name: 'New' }];
  const { outcomes } = await applyEntries({ companies, users: [{ ...user, password }] });
  expect(outcomes).toEqual({ 'tenants[0].users[0]': [`tenants[0].users[0].password: ${error}`] });
  expect(await readRecord(engine, account)).toMatchObject(stored);
  expect(await readCompany('1')).toMatchObject({ name: 'Company' });
});

it('apply writes nothing of a file with errors, and reports every error', async () => {
  await applyEntries({ companies: [company] });
  const other = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
  const { outcomes } = await applyEntries({
    companies: [{ ...company, company_id: '2', status: 'OFF' }],
    suppliers: [supplier, { ...supplier, supplier_id: '11', company_id: '2' }],
    users: [user, { ...other, supplier_id: '12', company_id: '3' }],
  });
  expect(outcomes).toEqual({
    'tenants[0].companies[0]': ['tenants[0].companies[0].status: must be ACTIVE or SUSPENDED'],
    'tenants[0].suppliers[1]': ['tenants[0].suppliers[1].company_id: company 2 does not exist'],
    'tenants[0].users[1]': [
      'tenants[0].users[1].company_id: company 3 does not exist',
      'tenants[0].users[1].supplier_id: supplier 12 does not exist',
    ],
  });
  expect([await readSupplier(), await readUser()]).toEqual([{}, {}]);
  // The entries of an invalid tenant are not checked.
  const invalidTenant = await applyEntries({ tenant: 'BAD.example', companies: [company], suppliers: [supplier] });
  expect(invalidTenant.outcomes).toEqual({
    'tenants[0]': [expect.stringContaining('tenants[0].tenant: must be a domain')],
  });
});

const uuid = randomUUID();
const twin = { ...user, user_id: '101', email: 'b@x.example', username: null, supplier_id: null };

it.each([
  ['companies[1]: is the same company as tenants[0].companies[0]', { companies: [company, company] }],
  ['suppliers[1]: is the same supplier as', { suppliers: [supplier, supplier] }],
  ['users[1]: is the same user as', { users: [user, { ...twin, user_id: user.user_id }] }],
  ['users[1].email: is the login name of another user', { users: [user, { ...twin, email: 'ANA@x.example' }] }],
  ['users[1].username: is the login name of another user', { users: [user, { ...twin, username: 'ana@X.example' }] }],
  ['api_keys[1]: is the same api_key as', { api_keys: [apiKey, apiKey] }],
  ['api_keys[0]: is the same api_key as tenants[0].api_keys[1]', { api_keys: [apiKey, { ...apiKey, key: uuid }] }],
  [
    'api_keys[1]: is the same',
    {
      api_keys: [
        { ...apiKey, key: uuid },
        { ...apiKey, key: uuid.toUpperCase(), name: 'B' },
      ],
    },
  ],
])('apply rejects a file in which two entries have the same id or name: %s', async (error, file) => {
  const { outcomes } = await applyEntries({ ...lists, ...file });
  expect(Object.values(outcomes)).toEqual([[expect.stringContaining(`tenants[0].${error}`)]]);
});

it('a username can be the e-mail of the same user, ids can repeat in another tenant, and keys of a file can share a name', async () => {
  const keys = [uuid, randomUUID()].map((each) => ({ ...apiKey, key: each }));
  const file = { companies: [company], users: [{ ...twin, username: 'B@x.example' }] };
  expect(new Set(Object.values((await applyEntries({ ...file, api_keys: keys })).outcomes))).toEqual(
    new Set(['created']),
  );
  tenant = `other-${tenant}`;
  expect(new Set(Object.values((await applyEntries(file)).outcomes))).toEqual(new Set(['created']));
});

const commit: DirectoryRecords['commit'] = (changes) =>
  createDirectoryRecords(engine.client, engine.tables.Directory).commit(changes);

it.each([
  ['has changed since it was read', { ...company, name: 'Old' }],
  ['has a new attribute', { ...company, note: undefined }],
  ['was created since it was read', null],
])('a commit writes nothing if a record that it changes or only compares %s', async (_, before) => {
  await applyEntries(lists);
  await changeRecord(engine, directoryKeys.company(tenant, '1'), { note: 'new' });
  const key = { kind: 'company' as const, ids: [tenant, '1'] };
  const added = { company_id: '2', name: 'Second', status: 'ACTIVE' } as const;
  const addition = { key: { ...key, ids: [tenant, '2'] }, before: null, after: added };
  const after = { ...company, name: 'New' };
  for (const change of [{ before }, { before, after }])
    expect(await commit([addition, { key, ...change }])).toBe(false);
  expect([await readCompany('1'), await readCompany('2')]).toEqual([expect.objectContaining({ name: 'Company' }), {}]);
  expect(await commit([addition, { key, before: company, after }])).toBe(true);
  expect([await readCompany('1'), await readCompany('2')]).toMatchObject([{ name: 'New' }, added]);
});

const toRecordKey = (key: string) => directoryKeys.apiKey(hashApiKey(key));

it('an API key is stored as a hash with its last 4 characters, valid from the first to the last instant of its dates', async () => {
  const key = randomUUID();
  await applyEntries({ ...lists, api_keys: [{ ...apiKey, key: key.toUpperCase() }] });
  const stored = await readRecord(engine, toRecordKey(key));
  expect(stored).toMatchObject({
    tenant,
    company_id: '1',
    last4: key.slice(-4),
    valid_from: '2026-01-01T00:00:00.000Z',
    valid_until: '2026-12-31T23:59:59.999Z',
  });
  expect(JSON.stringify(stored)).not.toContain(key);
});

it('apply generates a missing API key, shows it once, and later finds it by its company and name', async () => {
  const { shownKeys } = await applyEntries(lists);
  expect(shownKeys).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
  const again = await applyEntries({ ...lists, api_keys: [{ ...apiKey, status: 'INACTIVE' }] });
  expect(again).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'changed' }, shownKeys: [] });
  const [key = ''] = shownKeys;
  expect(await readRecord(engine, toRecordKey(key))).toMatchObject({ status: 'INACTIVE', last4: key.slice(-4) });
  const other = await applyEntries({ ...lists, api_keys: [{ ...apiKey, name: 'Second' }] });
  expect(other).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'created' }, shownKeys: [expect.any(String)] });
});

it('an API key of another tenant is rejected', async () => {
  const keys = { ...lists, api_keys: [{ ...apiKey, key: randomUUID() }] };
  await applyEntries(keys);
  tenant = `t${newId()}.example`;
  const error = 'tenants[0].api_keys[0].key: belongs to another tenant';
  expect((await applyEntries(keys)).outcomes).toEqual({ 'tenants[0].api_keys[0]': [error] });
});

it('apply does not activate a revoked API key', async () => {
  proves('api-key/status');
  const { shownKeys } = await applyEntries(lists);
  const recordKey = toRecordKey(shownKeys[0] ?? '');
  const revoked = { status: 'INACTIVE', revoked_at: '2026-06-01T00:00:00.000Z' };
  await changeRecord(engine, recordKey, revoked);
  for (const entry of [apiKey, { ...apiKey, key: shownKeys[0] }]) {
    expect(await applyEntries({ ...lists, api_keys: [entry] })).toEqual({
      outcomes: buildEqualOutcomes('left'),
      shownKeys: [],
    });
    expect(await readRecord(engine, recordKey)).toMatchObject(revoked);
  }
  const later = { ...lists, api_keys: [{ ...apiKey, valid_until: '2027-01-01' }] };
  expect((await applyEntries(later)).outcomes).toMatchObject({ 'tenants[0].api_keys[0]': 'changed' });
  expect(await readRecord(engine, recordKey)).toMatchObject({ ...revoked, valid_until: '2027-01-01T23:59:59.999Z' });
});

const findLogin = async (name: string) =>
  (await createDirectoryTable(engine.client, engine.tables.Directory).findLogin(tenant, name)).user;
const readAccount = () => readRecord(engine, directoryKeys.account(tenant, '100'));

const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };
const full = {
  ...lists,
  tolerance,
  suppliers: [{ ...supplier, tolerance }],
  users: [{ ...user, expires_at: '2027-01-01' }],
};
const { username: _username, password: _password, supplier_id: _supplier, ...bareUser } = user;
const bare = { ...lists, users: [bareUser] };

it('a swap of login names between two users is rejected', async () => {
  const other = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
  await applyEntries({ ...lists, users: [user, other] });
  const users = [
    { ...user, username: 'b' },
    { ...other, username: 'ana' },
  ];
  expect((await applyEntries({ ...lists, users })).outcomes).toEqual({
    'tenants[0].users[0]': ['tenants[0].users[0].username: is the login name of another user'],
    'tenants[0].users[1]': ['tenants[0].users[1].username: is the login name of another user'],
  });
  expect(await findLogin('b')).toMatchObject({ userId: '101' });
});

describe('a supplier and the users who are linked to it', () => {
  const companies = [company, { ...company, company_id: '2' }];
  const foreign = { ...supplier, supplier_id: '20', company_id: '2' };
  const moved = { ...supplier, company_id: '2' };
  const second = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
  const changeBoth = (changes: object) => [user, second].map((each) => ({ ...each, ...changes }));
  const buildError = (index: number, field: string, text: string) =>
    `tenants[0].users[${index}].${field}: supplier ${text}`;
  beforeEach(() => applyEntries({ ...lists, companies, suppliers: [supplier, foreign], users: [user, second] }));

  it.each([
    [
      'a user is linked to a supplier of another company',
      { users: [{ ...user, supplier_id: '20' }] },
      [buildError(0, 'supplier_id', '20 belongs to company 2, and the user to company 1')],
    ],
    [
      'a user leaves the company of its supplier, which the file omits',
      { users: [{ ...bareUser, company_id: '2' }] },
      [buildError(0, 'company_id', '10 belongs to company 1, and the user to company 2')],
    ],
    [
      'a supplier leaves its company without its users',
      { suppliers: [moved] },
      ['tenants[0].suppliers[0].company_id: linked users would stay in the old company: 100, 101'],
    ],
    [
      'a supplier leaves its company without a user whose entry omits the supplier',
      { suppliers: [moved], users: [bareUser, { ...second, company_id: '2' }] },
      [buildError(0, 'company_id', '10 belongs to company 2, and the user to company 1')],
    ],
  ])('apply writes nothing when %s', async (_what, file, errors) => {
    const before = await readUser();
    expect(Object.values((await applyEntries(file)).outcomes).flat()).toEqual(errors);
    expect(await readUser()).toEqual(before);
    expect(await readRecord(engine, directoryKeys.supplier(tenant, '10'))).toMatchObject({ company_id: '1' });
  });

  it.each([
    ['they move together', { suppliers: [moved], users: changeBoth({ company_id: '2' }) }],
    [
      'they move together, and the users do not name their supplier',
      { suppliers: [moved], users: changeBoth({ company_id: '2', supplier_id: undefined }) },
    ],
    ['the user changes to another supplier', { users: [{ ...user, company_id: '2', supplier_id: '20' }] }],
  ])('a user and a supplier can change their company when %s', async (_what, file) => {
    const runForOutcomes = async (options = {}) => {
      const { 'tenants[0]': _, ...outcomes } = (await applyEntries(file, options)).outcomes;
      return [...new Set(Object.values(outcomes))];
    };
    expect(await runForOutcomes({ dryRun: true })).toEqual(['changed']);
    expect(await runForOutcomes()).toEqual(['changed']);
    expect(await runForOutcomes()).toEqual(['left']);
  });
});

it('apply keeps a tolerance, username, password, supplier and expiry that the file omits, and removes them if null', async () => {
  const recordKeys = [
    directoryKeys.tenant(tenant),
    directoryKeys.supplier(tenant, '10'),
    directoryKeys.user(tenant, '100'),
  ];
  const readAll = async () => [
    await readAccount(),
    ...(await Promise.all(recordKeys.map((key) => readRecord(engine, key)))),
  ];
  await applyEntries(full);
  const before = await readAll();
  expect(before).toMatchObject([
    { password_hash: expect.any(String) },
    { tolerance: { mode: 'PCT', auto_approve: true } },
    { tolerance: { mode: 'PCT' } },
    { username: 'ana', supplier_id: '10', expires_at: '2027-01-01T23:59:59.999Z' },
  ]);
  expect((await applyEntries(bare)).outcomes).toEqual(buildEqualOutcomes('left'));
  expect(await readAll()).toEqual(before);
  expect(await findLogin('ana')).toEqual({ tenant, userId: '100', companyId: '1', supplierId: '10' });

  const nothing = { username: null, password: null, supplier_id: null, expires_at: null };
  const suppliers = [{ ...supplier, tolerance: null }];
  const removed = await applyEntries({ ...lists, tolerance: null, suppliers, users: [{ ...user, ...nothing }] });
  const left = { 'tenants[0].companies[0]': 'left', 'tenants[0].api_keys[0]': 'left' };
  expect(removed.outcomes).toEqual({ ...buildEqualOutcomes('changed'), ...left });
  for (const name of Object.keys(nothing)) expect(await readUser()).not.toHaveProperty(name);
  for (const record of await readAll()) {
    for (const name of ['tolerance', 'password_hash']) expect(record).not.toHaveProperty(name);
  }
  expect([await findLogin('ana'), await findLogin(user.email)]).toMatchObject([null, { supplierId: null }]);
  expect((await applyEntries(bare)).outcomes).toEqual(buildEqualOutcomes('left'));
});

describe('apply and sessions', () => {
  const applyUser = (changes: object, options = {}) =>
    applyEntries({ ...lists, users: [{ ...user, ...changes }] }, options);

  /** Reads the cutoff of the user's tokens from its record and from its account. */
  const readTokensFrom = async () => [await readUser(), await readAccount()].map((record) => record['tokens_from']);
  const NEVER = [undefined, undefined];
  beforeEach(() => applyUser({}));

  it.each([
    ['creates a user', {}],
    ['changes something else', { permissions: ['A'], license_active: false, email: 'other@x.example' }],
  ])('an apply that %s ends no sessions', async (_what, changes) => {
    await applyUser(changes);
    expect(await readTokensFrom()).toEqual(NEVER);
  });

  it.each([
    ['changes the password', { password: 'second-Secret-q7' }],
    ['removes the password', { password: null }],
    ['deactivates the user', { active: false }],
  ])('an apply that %s ends the sessions once, in the record and in the account', async (_what, changes) => {
    await applyUser(changes, { dryRun: true });
    expect(await readTokensFrom()).toEqual(NEVER);
    const before = new Date().toISOString();
    await applyUser(changes);
    const [ofUser, ofAccount] = await readTokensFrom();
    expect(ofAccount).toBe(ofUser);
    expect(String(ofUser) > before).toBe(true);
    expect((await applyUser(changes)).outcomes).toMatchObject({ 'tenants[0].users[0]': 'left' });
    expect(await readTokensFrom()).toEqual([ofUser, ofAccount]);
  });

  it('an apply that activates a user or sets its first password never makes the cutoff earlier', async () => {
    await applyUser({ active: false });
    const [before] = await readTokensFrom();
    await applyUser({});
    expect(await readTokensFrom()).toEqual([before, before]);
    await applyUser({ password: null });
    const [without] = await readTokensFrom();
    expect(String(without) > String(before)).toBe(true);
    await applyUser({});
    const [again, ofAccount] = await readTokensFrom();
    expect(String(again) > String(without)).toBe(true);
    expect(ofAccount).toBe(again);
  });
});
