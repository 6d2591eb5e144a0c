import { beforeEach, describe, expect, it } from 'vitest';
import { createDirectoryTable } from '../../../lib/storage/directory/directory-table.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apply, company, lists, user } from '../../support/ops/apply-lists.ts';
import { newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const run = (file: Record<string, unknown>, options = {}) => apply(engine, tenant, file, options);
const findLogin = async (name: string) =>
  (await createDirectoryTable(engine.client, engine.tables.Directory).findLogin(tenant, name)).user;
const readUser = (id = '100') => readRecord(engine, directoryKeys.user(tenant, id));

describe('login names', () => {
  it('follow the user: old ones are given up', async () => {
    await run(lists);
    const renamed = { ...user, email: 'new@x.example', username: null };
    expect((await run({ ...lists, users: [renamed] })).outcomes).toMatchObject({ 'tenants[0].users[0]': 'changed' });
    expect(await findLogin('new@x.example')).toMatchObject({ userId: '100' });
    expect(await findLogin('ana@x.example')).toBeNull();
    expect(await findLogin('ana')).toBeNull();
  });

  it('of another user are refused', async () => {
    await run(lists);
    const thief = { ...user, user_id: '101', email: 'b@x.example', username: 'ANA' };
    const { outcomes } = await run({
      companies: [company],
      users: [thief, { ...user, user_id: '102', email: 'c@x.example', username: 'c' }],
    });
    expect(outcomes).toEqual({
      'tenants[0].users[0]': ['tenants[0].users[0].username: is the login name of another user'],
    });
    expect(await readUser('101')).toEqual({});
    expect(await findLogin('b@x.example')).toBeNull();
    expect(await findLogin('ana')).toMatchObject({ userId: '100' });
  });

  it.each(['first', 'last'])('may be taken over from a user who gives them up %s in the same file', async (place) => {
    await run(lists);
    const giver = { ...user, username: 'other' };
    const taker = { ...user, user_id: '101', email: 'b@x.example', username: 'ana' };
    const users = place === 'first' ? [giver, taker] : [taker, giver];
    const { outcomes } = await run({ ...lists, users });
    const [first, last] = place === 'first' ? ['changed', 'created'] : ['created', 'changed'];
    expect(outcomes).toMatchObject({ 'tenants[0].users[0]': first, 'tenants[0].users[1]': last });
    expect(await findLogin('ana')).toMatchObject({ userId: '101' });
    expect(await findLogin('other')).toMatchObject({ userId: '100' });
    expect((await run({ ...lists, users })).outcomes).toMatchObject({ 'tenants[0].users[1]': 'left' });
  });

  it('move along a whole row of users, in whatever order the file names them', async () => {
    const named = (id: number, username: string) => ({ ...user, user_id: `${id}`, email: `${id}@x.example`, username });
    await run({ ...lists, users: [named(1, 'a'), named(2, 'b'), named(3, 'c')] });
    await run({ ...lists, users: [named(1, 'b'), named(2, 'c'), named(3, 'd')] });
    const owners = await Promise.all(['a', 'b', 'c', 'd'].map(findLogin));
    expect(owners.map((owner) => owner?.userId)).toEqual([undefined, '1', '2', '3']);
  });

  it('that two users want to swap are refused', async () => {
    const other = { ...user, user_id: '101', email: 'b@x.example', username: 'b' };
    await run({ ...lists, users: [user, other] });
    const users = [
      { ...user, username: 'b' },
      { ...other, username: 'ana' },
    ];
    expect((await run({ ...lists, users })).outcomes).toEqual({
      'tenants[0].users[0]': ['tenants[0].users[0].username: is the login name of another user'],
      'tenants[0].users[1]': ['tenants[0].users[1].username: is the login name of another user'],
    });
    expect(await findLogin('b')).toMatchObject({ userId: '101' });
  });

  it('go to one user only, however many runs want the same one at once', async () => {
    await run({ companies: [company] });
    const runs = Array.from({ length: 8 }, (_, index) => {
      const { supplier_id: _supplier, ...rival } = { ...user, user_id: `${200 + index}`, email: `r${index}@x.example` };
      return run({ users: [{ ...rival, username: 'wanted' }] });
    });
    const outcomes = (await Promise.all(runs)).map((settled) => settled.outcomes['tenants[0].users[0]']);
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter(Array.isArray)).toHaveLength(7);
  });
});
