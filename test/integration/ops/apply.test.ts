import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import { hashPassword } from '../../../lib/auth/passwords.ts';
import { createDirectoryRecords, type DirectoryRecords } from '../../../lib/storage/directory/directory-records.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { allAre, apiKey, apply, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { changeRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const run = (file: Record<string, unknown>, options = {}) => apply(engine, tenant, file, options);
const readUser = () => readRecord(engine, directoryKeys.user(tenant, '100'));
const readSupplier = () => readRecord(engine, directoryKeys.supplier(tenant, '10'));
const readCompany = (id: string) => readRecord(engine, directoryKeys.company(tenant, id));

describe('applying a file', () => {
  it('apply changes only what differs, and replaces a tolerance as a whole', async () => {
    const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 10.5, auto_approve: true };
    const suppliers = [{ ...supplier, tolerance }];
    await run({ ...lists, suppliers });
    expect((await run({ ...lists, suppliers })).outcomes).toEqual(allAre('left'));
    const absolute = { mode: 'ABS', tolerance_abs: 10.5, auto_approve: true };
    const { outcomes } = await run({ ...lists, suppliers: [{ ...supplier, tolerance: absolute }] });
    expect(outcomes).toEqual({ ...allAre('left'), 'tenants[0].suppliers[0]': 'changed' });
    expect((await readSupplier())['tolerance']).not.toHaveProperty('tolerance_pct');
  });

  it('apply keeps the player ids of a user that it changes', async () => {
    await run(lists);
    await changeRecord(engine, directoryKeys.user(tenant, '100'), { player_ids: ['phone'] });
    expect((await run(lists)).outcomes).toEqual(allAre('left'));
    await run({ ...lists, users: [{ ...user, active: false }] });
    expect(await readUser()).toMatchObject({ active: false, player_ids: ['phone'] });
  });

  it('apply rejects a password that contains a name of its user, also if it is stored, and writes nothing', async () => {
    const password = 'ana-at-work @x.example.org Ana@x.example';
    const fault = 'must not contain the e-mail, user name, tenant or company of its user';
    await run(lists);
    const account = directoryKeys.account(tenant, '100');
    const stored = { password_hash: await hashPassword(password) };
    await changeRecord(engine, account, stored);
    const companies = [{ ...company, name: 'New' }];
    const { outcomes } = await run({ companies, users: [{ ...user, password }] });
    expect(outcomes).toEqual({ 'tenants[0].users[0]': [`tenants[0].users[0].password: ${fault}`] });
    expect(await readRecord(engine, account)).toMatchObject(stored);
    expect(await readCompany('1')).toMatchObject({ name: 'Company' });
  });

  it('apply writes nothing of a file with errors, and reports each error at its entry only', async () => {
    await run({ companies: [company] });
    const other = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
    const { outcomes } = await run({
      companies: [{ ...company, company_id: '2', status: 'OFF' }],
      suppliers: [supplier, { ...supplier, supplier_id: '11', company_id: '2' }],
      users: [user, { ...other, supplier_id: '12', company_id: '3' }],
    });
    // That supplier 11 refers to the faulty company 2 is no fault of its own.
    expect(outcomes).toEqual({
      'tenants[0].companies[0]': ['tenants[0].companies[0].status: must be ACTIVE or SUSPENDED'],
      'tenants[0].users[1]': [
        'tenants[0].users[1].company_id: company 3 does not exist',
        'tenants[0].users[1].supplier_id: supplier 12 does not exist',
      ],
    });
    expect([await readSupplier(), await readUser()]).toEqual([{}, {}]);
    // Nor is what a faulty tenant holds.
    const ofTenant = await run({ tenant: 'BAD.example', companies: [company], suppliers: [supplier] });
    expect(ofTenant.outcomes).toEqual({
      'tenants[0]': [expect.stringContaining('tenants[0].tenant: must be a domain')],
    });
  });

  it('apply stops between two entries after it has reported the first one', async () => {
    const { outcomes } = await run(lists, { stopAfter: 2 });
    expect(Object.keys(outcomes)).toEqual(['tenants[0]', 'tenants[0].companies[0]']);
    expect(await readCompany('1')).not.toEqual({});
    expect(await readSupplier()).toEqual({});
  });
});

describe('the repository of the directory', () => {
  const commit: DirectoryRecords['commit'] = (changes) =>
    createDirectoryRecords(engine.client, engine.tables.Directory).commit(changes);

  it.each([
    ['is no longer as it was read', { ...company, name: 'Old' }],
    ['has an attribute that was not there', { ...company, note: undefined }],
    ['was not there', null],
  ])('a commit writes nothing if a record, changed or only compared, %s', async (_, before) => {
    await run(lists);
    await changeRecord(engine, directoryKeys.company(tenant, '1'), { note: 'new' });
    const key = { kind: 'company' as const, ids: [tenant, '1'] };
    const added = { company_id: '2', name: 'Second', status: 'ACTIVE' } as const;
    const addition = { key: { ...key, ids: [tenant, '2'] }, before: null, after: added };
    const after = { ...company, name: 'New' };
    for (const change of [{ before }, { before, after }])
      expect(await commit([addition, { key, ...change }])).toBe(false);
    expect([await readCompany('1'), await readCompany('2')]).toEqual([
      expect.objectContaining({ name: 'Company' }),
      {},
    ]);
    expect(await commit([addition, { key, before: company, after }])).toBe(true);
    expect([await readCompany('1'), await readCompany('2')]).toMatchObject([{ name: 'New' }, added]);
  });
});

describe('API keys', () => {
  const placeOf = (key: string) => directoryKeys.apiKey(hashApiKey(key));

  it('an API key is stored as a hash with its last 4 characters, valid from the first to the last instant', async () => {
    const key = randomUUID();
    await run({ ...lists, api_keys: [{ ...apiKey, key: key.toUpperCase() }] });
    const stored = await readRecord(engine, placeOf(key));
    expect(stored).toMatchObject({
      tenant,
      company_id: '1',
      last4: key.slice(-4),
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: '2026-12-31T23:59:59.999Z',
    });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('a missing API key is generated, shown once, and found again by its company and name', async () => {
    const { shownKeys } = await run(lists);
    expect(shownKeys).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
    const again = await run({ ...lists, api_keys: [{ ...apiKey, status: 'INACTIVE' }] });
    expect(again).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'changed' }, shownKeys: [] });
    const [key = ''] = shownKeys;
    expect(await readRecord(engine, placeOf(key))).toMatchObject({ status: 'INACTIVE', last4: key.slice(-4) });
    const other = await run({ ...lists, api_keys: [{ ...apiKey, name: 'Second' }] });
    expect(other).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'created' }, shownKeys: [expect.any(String)] });
  });

  it('an API key of another tenant is rejected', async () => {
    const keys = { ...lists, api_keys: [{ ...apiKey, key: randomUUID() }] };
    await run(keys);
    tenant = `t${newId()}.example`;
    const fault = 'tenants[0].api_keys[0].key: belongs to another tenant';
    expect((await run(keys)).outcomes).toEqual({ 'tenants[0].api_keys[0]': [fault] });
  });

  it('apply does not activate a revoked API key [api-key/status]', async () => {
    const { shownKeys } = await run(lists);
    const place = placeOf(shownKeys[0] ?? '');
    const revoked = { status: 'INACTIVE', revoked_at: '2026-06-01T00:00:00.000Z' };
    await changeRecord(engine, place, revoked);
    for (const entry of [apiKey, { ...apiKey, key: shownKeys[0] }]) {
      expect(await run({ ...lists, api_keys: [entry] })).toEqual({ outcomes: allAre('left'), shownKeys: [] });
      expect(await readRecord(engine, place)).toMatchObject(revoked);
    }
    const later = { ...lists, api_keys: [{ ...apiKey, valid_until: '2027-01-01' }] };
    expect((await run(later)).outcomes).toMatchObject({ 'tenants[0].api_keys[0]': 'changed' });
    expect(await readRecord(engine, place)).toMatchObject({ ...revoked, valid_until: '2027-01-01T23:59:59.999Z' });
  });
});
