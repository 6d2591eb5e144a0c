import { beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryTable } from '../../../lib/storage/directory/directory-table.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { allAre, apply, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const run = (file: Record<string, unknown>) => apply(engine, tenant, file);
const findLogin = async (name: string) =>
  (await createDirectoryTable(engine.client, engine.tables.Directory).findLogin(tenant, name)).user;
const readAccount = () => readRecord(engine, directoryKeys.account(tenant, '100'));
const readUser = () => readRecord(engine, directoryKeys.user(tenant, '100'));

const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };
const full = {
  ...lists,
  tolerance,
  suppliers: [{ ...supplier, tolerance }],
  users: [{ ...user, expires_at: '2027-01-01' }],
};
const { username: _username, password: _password, supplier_id: _supplier, ...bareUser } = user;
const bare = { ...lists, users: [bareUser] };

describe('what a file does not name', () => {
  it('stays as it is: tolerance, username, password, supplier and expiry', async () => {
    await run(full);
    const [before, account] = [await readUser(), await readAccount()];
    expect(account).toHaveProperty('password_hash');
    expect((await run(bare)).outcomes).toEqual(allAre('left'));
    expect(await readUser()).toEqual(before);
    expect(await readAccount()).toEqual(account);
    expect(before).toMatchObject({ username: 'ana', supplier_id: '10', expires_at: '2027-01-01T23:59:59.999Z' });
    const reference = { tenant, userId: '100', companyId: '1', supplierId: '10' };
    expect(await findLogin('ana')).toEqual(reference);
    for (const key of [directoryKeys.tenant(tenant), directoryKeys.supplier(tenant, '10')]) {
      expect(await readRecord(engine, key)).toMatchObject({ tolerance: { mode: 'PCT', auto_approve: true } });
    }
  });

  it('stays also when the rest of the entry changes, and keeps other users from a login name', async () => {
    await run(full);
    await run({ ...bare, users: [{ ...bareUser, email: 'new@x.example', license_active: false }] });
    expect(await readUser()).toMatchObject({ username: 'ana', supplier_id: '10', license_active: false });
    const thief = { ...bareUser, user_id: '101', email: 'b@x.example', username: 'ana' };
    expect((await run({ companies: [company], users: [bareUser, thief] })).outcomes).toEqual({
      'tenants[0].users[1]': ['tenants[0].users[1].username: is the login name of another user'],
    });
  });

  it('is removed by null', async () => {
    await run(full);
    const nothing = { username: null, password: null, supplier_id: null, expires_at: null };
    const { outcomes } = await run({
      ...lists,
      tolerance: null,
      suppliers: [{ ...supplier, tolerance: null }],
      users: [{ ...user, ...nothing }],
    });
    expect(outcomes).toEqual({
      ...allAre('changed'),
      'tenants[0].companies[0]': 'left',
      'tenants[0].api_keys[0]': 'left',
    });
    for (const name of Object.keys(nothing)) expect(await readUser()).not.toHaveProperty(name);
    expect(await readAccount()).not.toHaveProperty('password_hash');
    expect(await findLogin('ana')).toBeNull();
    expect(await findLogin(user.email)).toMatchObject({ supplierId: null });
    for (const key of [directoryKeys.tenant(tenant), directoryKeys.supplier(tenant, '10')]) {
      expect(await readRecord(engine, key)).not.toHaveProperty('tolerance');
    }
    expect((await run(bare)).outcomes).toEqual(allAre('left'));
  });
});
