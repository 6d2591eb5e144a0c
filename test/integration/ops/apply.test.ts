import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DirectoryRecords } from '../../../lib/admin/ports/directory-records.ts';
import { applyDirectory } from '../../../lib/admin/apply/apply-directory.ts';
import { hashPassword, verifyPassword } from '../../../lib/auth/passwords.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { createDirectoryRecords } from '../../../lib/storage/directory/directory-records.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { allAre, apply, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { changeRecord, newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const run = (file: Record<string, unknown>, options = {}) => apply(engine, tenant, file, options);
const passwordHash = async () => {
  const { password_hash: hash } = await readRecord(engine, directoryKeys.account(tenant, '100'));
  return hash as string;
};
const readUser = (id = '100') => readRecord(engine, directoryKeys.user(tenant, id));

describe('applying a file', () => {
  it('changes what differs, replaces a tolerance whole, and nothing else', async () => {
    const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 10.5, auto_approve: true };
    const suppliers = [{ ...supplier, tolerance }];
    await run({ ...lists, suppliers });
    expect((await run({ ...lists, suppliers })).outcomes).toEqual(allAre('left'));
    const { tolerance_pct: _, ...without } = tolerance;
    const { outcomes } = await run({
      ...lists,
      suppliers: [{ ...supplier, tolerance: { ...without, mode: 'ABS' } }],
    });
    expect(outcomes).toEqual({ ...allAre('left'), 'tenants[0].suppliers[0]': 'changed' });
    const stored = await readRecord(engine, directoryKeys.supplier(tenant, '10'));
    expect(stored['tolerance']).not.toHaveProperty('tolerance_pct');
  });

  it('leaves the player ids of a user that it changes', async () => {
    await run(lists);
    await engine.client.send(
      new UpdateCommand({
        TableName: engine.tables.Directory,
        Key: directoryKeys.user(tenant, '100'),
        UpdateExpression: 'SET player_ids = :ids',
        ExpressionAttributeValues: { ':ids': ['phone'] },
      }),
    );
    expect((await run(lists)).outcomes).toEqual(allAre('left'));
    await run({ ...lists, users: [{ ...user, active: false }] });
    expect(await readUser()).toMatchObject({ active: false, player_ids: ['phone'] });
  });

  it('keeps a password that is left out, and hashes another one', async () => {
    await run(lists);
    const { password: _, ...silent } = user;
    expect((await run({ ...lists, users: [silent] })).outcomes).toEqual(allAre('left'));
    const changed = await run({ ...lists, users: [{ ...user, password: 'second-Secret-q7' }] });
    expect(changed.outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
    expect(await verifyPassword('second-Secret-q7', await passwordHash())).toBe(true);
  });

  it('refuses a password that names its user, also when it is the stored one, and writes nothing', async () => {
    const password = 'ana-at-work @x.example.org Ana@x.example';
    const fault = 'contains the e-mail, user name, tenant or company of its user: leave that out';
    await run(lists);
    const hash = await hashPassword(password);
    await changeRecord(engine, directoryKeys.account(tenant, '100'), { password_hash: hash });
    for (const options of [{ dryRun: true }, {}]) {
      const { outcomes } = await run(
        { companies: [{ ...company, name: 'New' }], users: [{ ...user, password }] },
        options,
      );
      expect(outcomes).toEqual({ 'tenants[0].users[0]': [`tenants[0].users[0].password: ${fault}`] });
    }
    expect(await passwordHash()).toBe(hash);
    expect(await readRecord(engine, directoryKeys.company(tenant, '1'))).toMatchObject({ name: 'Company' });
  });
});

describe('references', () => {
  it('may go to the file or to the directory, but not to what is nowhere', async () => {
    await run({ companies: [company] });
    expect((await run({ suppliers: [supplier], users: [user] })).outcomes).toMatchObject({
      'tenants[0].suppliers[0]': 'created',
      'tenants[0].users[0]': 'created',
    });
    expect((await run({ users: [{ ...user, supplier_id: '11' }] })).outcomes).toEqual({
      'tenants[0].users[0]': ['tenants[0].users[0].supplier_id: there is no supplier 11'],
    });
  });
});

describe('a file with a fault', () => {
  it('is not applied at all, and has all its faults named, each where it is', async () => {
    await run({ companies: [company] });
    const { outcomes } = await run({
      companies: [{ ...company, company_id: '2', status: 'OFF' }],
      suppliers: [supplier, { ...supplier, supplier_id: '11', company_id: '2' }],
      users: [
        user,
        { ...user, user_id: '101', email: 'b@x.example', username: 'b', supplier_id: '11', company_id: '3' },
      ],
    });
    // That supplier 11 refers to the faulty company 2 is no fault of its own.
    expect(outcomes).toEqual({
      'tenants[0].companies[0]': ['tenants[0].companies[0].status: must be ACTIVE or SUSPENDED'],
      'tenants[0].users[1]': ['tenants[0].users[1].company_id: there is no company 3'],
    });
    expect(await readRecord(engine, directoryKeys.supplier(tenant, '10'))).toEqual({});
    expect(await readUser()).toEqual({});
  });

  it('has the fault of a tenant named once, not with all that is in it', async () => {
    const document = { tenants: [{ tenant: 'BAD.example', companies: [company], suppliers: [supplier] }] };
    const rejections: unknown[] = [];
    const valid = await applyDirectory(createAdminPorts(engine), document, {
      dryRun: false,
      report: (settled) => rejections.push(settled),
    });
    expect(valid).toBe(false);
    expect(rejections).toEqual([
      { path: 'tenants[0]', faults: [expect.stringContaining('tenants[0].tenant: must be a domain')] },
    ]);
  });
});

describe('the administrators’ repository', () => {
  const commit: DirectoryRecords['commit'] = (changes) =>
    createDirectoryRecords(engine.client, engine.tables.Directory).commit(changes);
  const companyAt = (id: string) => ({ kind: 'company' as const, ids: [tenant, id] });
  const newCompany = () => ({ key: companyAt('2'), before: null, after: { ...company, company_id: '2' } });

  it('writes nothing of a set of changes when one of the items is no longer as it was read', async () => {
    await run(lists);
    const key = directoryKeys.company(tenant, '1');
    const stale = { key: companyAt('1'), before: { ...company, name: 'Old' }, after: { ...company, name: 'New' } };
    expect(await commit([newCompany(), stale])).toBe(false);
    expect(await readRecord(engine, directoryKeys.company(tenant, '2'))).toEqual({});
    expect(await readRecord(engine, key)).toMatchObject({ name: 'Company' });
    expect(await commit([{ ...stale, before: company }])).toBe(true);
    expect(await readRecord(engine, key)).toMatchObject({ name: 'New' });
  });

  it.each([
    ['an item that is left alone', { status: 'SUSPENDED' }],
    ['an attribute that was not there', { note: undefined }],
  ])('minds %s', async (_, read) => {
    await run(lists);
    await changeRecord(engine, directoryKeys.company(tenant, '1'), { note: 'new' });
    expect(await commit([newCompany(), { key: companyAt('1'), before: { ...company, ...read } }])).toBe(false);
    const absentUser = { key: { kind: 'user', ids: [tenant, '100'] } as const, before: null };
    expect(await commit([newCompany(), absentUser])).toBe(false);
    expect(await readRecord(engine, directoryKeys.company(tenant, '2'))).toEqual({});
    expect(await commit([newCompany(), { key: companyAt('1'), before: company }])).toBe(true);
  });
});

describe('a run that is told to end', () => {
  it('ends between two entries, and has told of what it has done', async () => {
    const stop = new AbortController();
    const told: string[] = [];
    const document = { tenants: [{ tenant, ...lists }] };
    await applyDirectory(createAdminPorts(engine), document, {
      dryRun: false,
      stop: stop.signal,
      report(settled) {
        told.push(settled.path);
        if (told.length === 2) stop.abort();
      },
    });
    expect(told).toEqual(['tenants[0]', 'tenants[0].companies[0]']);
    expect(await readRecord(engine, directoryKeys.company(tenant, '1'))).not.toEqual({});
    expect(await readRecord(engine, directoryKeys.supplier(tenant, '10'))).toEqual({});
  });
});
