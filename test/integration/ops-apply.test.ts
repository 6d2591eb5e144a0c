import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyDirectory } from '../../infra/ops/apply/apply-directory.ts';
import { hashApiKey } from '../../lib/auth/api-keys.ts';
import { verifyPassword } from '../../lib/auth/passwords.ts';
import { createDirectoryWriter } from '../../lib/storage/directory-writer.ts';
import { createDirectoryTable } from '../../lib/storage/directory-table.ts';
import { directoryKeys } from '../../lib/storage/keys.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { newId, readRecord } from '../support/seed.ts';

let engine: TestEngine;
let tenant: string;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const KEY = '6f1c2a34-0000-4000-8000-00000000000a';
const company = { company_id: '1', name: 'Company', status: 'ACTIVE' };
const supplier = { supplier_id: '10', name: 'Supplier', company_id: '1' };
const user = {
  user_id: '100',
  company_id: '1',
  email: 'Ana@x.example',
  username: 'ana',
  password: 'secret',
  supplier_id: '10',
  permissions: ['READ'],
  active: true,
  license_active: true,
};
const apiKey = {
  company_id: '1',
  name: 'ERP',
  scope: 'SUPPLIER_PORTAL',
  status: 'ACTIVE',
  valid_from: '2026-01-01',
  valid_until: '2026-12-31',
};
const lists = { companies: [company], suppliers: [supplier], users: [user], api_keys: [apiKey] };

/** Applies a file of one tenant; gives what became of each entry by its path, and the keys that were shown. */
async function apply(file: Record<string, unknown>, { dryRun = false } = {}) {
  const outcomes: Record<string, unknown> = {};
  const shownKeys: string[] = [];
  await applyDirectory(
    engine.client,
    engine.tables.Directory,
    { tenants: [{ tenant, ...file }] },
    {
      dryRun,
      report(settled) {
        if ('faults' in settled) outcomes[settled.path] = settled.faults;
        else outcomes[settled.entry.path] = settled.outcome;
        if ('generatedKey' in settled && settled.generatedKey) shownKeys.push(settled.generatedKey);
      },
    },
  );
  return { outcomes, shownKeys };
}

const all = (outcome: string) => ({
  'tenants[0]': outcome,
  'tenants[0].companies[0]': outcome,
  'tenants[0].suppliers[0]': outcome,
  'tenants[0].users[0]': outcome,
  'tenants[0].api_keys[0]': outcome,
});
const findLogin = (name: string) =>
  createDirectoryTable(engine.client, engine.tables.Directory).findLogin(tenant, name);
const readUser = (id = '100') => readRecord(engine, directoryKeys.user(tenant, id));

describe('applying a file', () => {
  it('creates everything, and the second time leaves everything', async () => {
    expect((await apply(lists)).outcomes).toEqual(all('created'));
    const before = await readUser();
    expect((await apply(lists)).outcomes).toEqual(all('left'));
    expect(await readUser()).toEqual(before);
  });

  it('makes a user who can be found by e-mail and username, whatever their case, and whose password verifies', async () => {
    await apply(lists);
    const reference = { tenant, userId: '100', companyId: '1', supplierId: '10' };
    expect(await findLogin('ANA@X.example')).toEqual(reference);
    expect(await findLogin('Ana')).toEqual(reference);
    expect(await verifyPassword('secret', (await readUser())['password_hash'] as string)).toBe(true);
  });

  it('writes nothing in a dry run, but says what it would do', async () => {
    const { outcomes, shownKeys } = await apply(lists, { dryRun: true });
    expect(outcomes).toEqual(all('created'));
    expect(shownKeys).toEqual([]);
    expect(await readRecord(engine, directoryKeys.tenant(tenant))).toEqual({});
    await apply(lists);
    const paused = { ...lists, companies: [{ ...company, status: 'SUSPENDED' }] };
    expect((await apply(paused, { dryRun: true })).outcomes).toMatchObject({ 'tenants[0].companies[0]': 'changed' });
    expect((await apply(lists)).outcomes).toEqual(all('left'));
  });

  it('changes what differs, removes what was left out, and nothing else', async () => {
    const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 10.5, auto_approve: true };
    const suppliers = [{ ...supplier, tolerance }];
    await apply({ ...lists, suppliers });
    expect((await apply({ ...lists, suppliers })).outcomes).toEqual(all('left'));
    const { tolerance_pct: _, ...without } = tolerance;
    const { outcomes } = await apply({
      ...lists,
      suppliers: [{ ...supplier, tolerance: { ...without, mode: 'ABS' } }],
    });
    expect(outcomes).toEqual({ ...all('left'), 'tenants[0].suppliers[0]': 'changed' });
    const stored = await readRecord(engine, directoryKeys.supplier(tenant, '10'));
    expect(stored['tolerance']).not.toHaveProperty('tolerance_pct');
    await apply(lists);
    expect(await readRecord(engine, directoryKeys.supplier(tenant, '10'))).not.toHaveProperty('tolerance');
  });

  it('leaves the player ids of a user that it changes', async () => {
    await apply(lists);
    await engine.client.send(
      new UpdateCommand({
        TableName: engine.tables.Directory,
        Key: directoryKeys.user(tenant, '100'),
        UpdateExpression: 'SET player_ids = :ids',
        ExpressionAttributeValues: { ':ids': ['phone'] },
      }),
    );
    expect((await apply(lists)).outcomes).toEqual(all('left'));
    await apply({ ...lists, users: [{ ...user, active: false }] });
    expect(await readUser()).toMatchObject({ active: false, player_ids: ['phone'] });
  });

  it('keeps a password that is left out, and hashes another one', async () => {
    await apply(lists);
    const { password: _, ...silent } = user;
    expect((await apply({ ...lists, users: [silent] })).outcomes).toEqual(all('left'));
    const changed = await apply({ ...lists, users: [{ ...user, password: 'new' }] });
    expect(changed.outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
    expect(await verifyPassword('new', (await readUser())['password_hash'] as string)).toBe(true);
  });

  it('lets an expiry date be valid to the end of its day', async () => {
    await apply({ ...lists, users: [{ ...user, expires_at: '2026-08-01' }] });
    expect(await readUser()).toMatchObject({ expires_at: '2026-08-01T23:59:59.999Z' });
  });
});

describe('login names', () => {
  it('follow the user: old ones are given up', async () => {
    await apply(lists);
    const { username: _, ...renamed } = { ...user, email: 'new@x.example' };
    expect((await apply({ ...lists, users: [renamed] })).outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
    expect(await findLogin('new@x.example')).toMatchObject({ userId: '100' });
    expect(await findLogin('ana@x.example')).toBeNull();
    expect(await findLogin('ana')).toBeNull();
  });

  it('of another user are refused, and the rest of the file is applied', async () => {
    await apply(lists);
    const thief = { ...user, user_id: '101', email: 'b@x.example', username: 'ANA' };
    const { outcomes } = await apply({
      companies: [company],
      users: [thief, { ...user, user_id: '102', email: 'c@x.example', username: 'c' }],
    });
    expect(outcomes).toMatchObject({
      'tenants[0].users[0]': ['tenants[0].users[0].username: is the login name of another user'],
      'tenants[0].users[1]': 'created',
    });
    expect(await readUser('101')).toEqual({});
    expect(await findLogin('b@x.example')).toBeNull();
    expect(await findLogin('ana')).toMatchObject({ userId: '100' });
  });

  it('may be taken over from a user who gives them up in the same file', async () => {
    await apply(lists);
    const users = [
      { ...user, username: 'first' },
      { ...user, user_id: '101', email: 'b@x.example', username: 'ana' },
    ];
    expect((await apply({ ...lists, users })).outcomes).toMatchObject({
      'tenants[0].users[0]': 'changed',
      'tenants[0].users[1]': 'created',
    });
    expect(await findLogin('ana')).toMatchObject({ userId: '101' });
  });

  it('go to one user only, however many runs want the same one at once', async () => {
    await apply({ companies: [company] });
    const runs = Array.from({ length: 8 }, (_, index) => {
      const { supplier_id: _supplier, ...rival } = { ...user, user_id: `${200 + index}`, email: `r${index}@x.example` };
      return apply({ users: [{ ...rival, username: 'wanted' }] });
    });
    const outcomes = (await Promise.all(runs)).map((run) => run.outcomes['tenants[0].users[0]']);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter(Array.isArray)).toHaveLength(7);
  });
});

describe('API keys', () => {
  const readKey = (key: string) => readRecord(engine, directoryKeys.apiKey(hashApiKey(key)));

  it('are stored as a hash with the last four characters, valid from the first to the last instant', async () => {
    const key = `${KEY.slice(0, -12)}${newId().slice(-12)}`;
    await apply({ ...lists, api_keys: [{ ...apiKey, key: key.toUpperCase() }] });
    const stored = await readKey(key);
    expect(stored).toMatchObject({
      tenant,
      company_id: '1',
      last4: key.slice(-4),
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_until: '2026-12-31T23:59:59.999Z',
    });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('that are left out are made up, shown once, and found again by company and name', async () => {
    const { shownKeys } = await apply(lists);
    expect(shownKeys).toEqual([expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)]);
    const again = await apply({ ...lists, api_keys: [{ ...apiKey, status: 'INACTIVE' }] });
    expect(again).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'changed' }, shownKeys: [] });
    expect(await readKey(shownKeys[0] ?? '')).toMatchObject({ status: 'INACTIVE', last4: shownKeys[0]?.slice(-4) });
    const other = await apply({ ...lists, api_keys: [{ ...apiKey, name: 'Second' }] });
    expect(other).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'created' }, shownKeys: [expect.any(String)] });
  });

  it('that were given once are found again when a file no longer shows them', async () => {
    const key = `${KEY.slice(0, -12)}${newId().slice(-12)}`;
    await apply({ ...lists, api_keys: [{ ...apiKey, key }] });
    expect(await apply(lists)).toMatchObject({ outcomes: { 'tenants[0].api_keys[0]': 'left' }, shownKeys: [] });
  });

  it('of another tenant are refused', async () => {
    const key = `${KEY.slice(0, -12)}${newId().slice(-12)}`;
    await apply({ ...lists, api_keys: [{ ...apiKey, key }] });
    tenant = `t${newId()}.example`;
    const { outcomes } = await apply({ ...lists, api_keys: [{ ...apiKey, key }] });
    expect(outcomes).toEqual({
      ...all('created'),
      'tenants[0].api_keys[0]': ['tenants[0].api_keys[0].key: belongs to another tenant'],
    });
  });
});

describe('references', () => {
  it('may go to the file or to the directory, but not to what is nowhere or rejected', async () => {
    await apply({ companies: [company] });
    const { outcomes } = await apply({
      companies: [{ ...company, company_id: '2', status: 'OFF' }],
      suppliers: [supplier, { ...supplier, supplier_id: '11', company_id: '2' }],
      users: [
        user,
        { ...user, user_id: '101', email: 'b@x.example', username: 'b', supplier_id: '11', company_id: '3' },
      ],
    });
    expect(outcomes).toEqual({
      'tenants[0]': 'left',
      'tenants[0].companies[0]': ['tenants[0].companies[0].status: must be ACTIVE or SUSPENDED'],
      'tenants[0].suppliers[0]': 'created',
      'tenants[0].suppliers[1]': ['tenants[0].suppliers[1].company_id: there is no company 2'],
      'tenants[0].users[0]': 'created',
      'tenants[0].users[1]': [
        'tenants[0].users[1].company_id: there is no company 3',
        'tenants[0].users[1].supplier_id: there is no supplier 11',
      ],
    });
  });

  it('do not go to a tenant that is rejected', async () => {
    const document = { tenants: [{ tenant: 'BAD.example', companies: [company] }] };
    const rejections: unknown[] = [];
    await applyDirectory(engine.client, engine.tables.Directory, document, {
      dryRun: false,
      report: (settled) => rejections.push(settled),
    });
    expect(rejections).toEqual([
      { path: 'tenants[0]', faults: [expect.stringContaining('tenants[0].tenant: must be a domain')] },
      { path: 'tenants[0].companies[0]', faults: ['tenants[0].companies[0]: its tenant does not exist'] },
    ]);
  });
});

describe('the administrators’ repository', () => {
  it('writes nothing of a set of changes when one of the items is no longer as it was read', async () => {
    await apply(lists);
    const writer = createDirectoryWriter(engine.client, engine.tables.Directory);
    const key = directoryKeys.company(tenant, '1');
    const other = directoryKeys.company(tenant, '2');
    const stale = { key, before: { ...company, name: 'Old' }, after: { ...company, name: 'New' } };
    expect(await writer.commit([{ key: other, before: null, after: { ...company, company_id: '2' } }, stale])).toBe(
      false,
    );
    expect(await readRecord(engine, other)).toEqual({});
    expect(await readRecord(engine, key)).toMatchObject({ name: 'Company' });
    expect(await writer.commit([{ ...stale, before: company }])).toBe(true);
    expect(await readRecord(engine, key)).toMatchObject({ name: 'New' });
  });
});
