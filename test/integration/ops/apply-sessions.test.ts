import { beforeEach, describe, expect, it } from 'vitest';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apply, lists, user } from '../../support/ops/apply-lists.ts';
import { newId, readRecord } from '../../support/data/seed.ts';

const engine = useEngine();
let tenant: string;

beforeEach(async () => {
  tenant = `t${newId()}.example`;
  await run({});
});

const run = (changes: object, options = {}) =>
  apply(engine, tenant, { ...lists, users: [{ ...user, ...changes }] }, options);

/** From when on tokens of the user are valid, as its record and its account have it. */
async function tokensFrom(): Promise<unknown[]> {
  const keys = [directoryKeys.user(tenant, '100'), directoryKeys.account(tenant, '100')];
  return Promise.all(keys.map(async (key) => (await readRecord(engine, key))['tokens_from']));
}
const nextSecond = () => new Date((Math.floor(Date.now() / 1000) + 1) * 1000).toISOString();
const NEVER = [undefined, undefined];

describe('an apply', () => {
  it.each([
    ['creates a user', {}],
    ['leaves a user', {}],
    ['leaves the password out', { password: undefined }],
    ['changes something else', { permissions: ['A'], license_active: false, email: 'other@x.example' }],
  ])('that %s ends no sessions', async (_what, changes) => {
    await run(changes);
    expect(await tokensFrom()).toEqual(NEVER);
  });

  it.each([
    ['changes the password', { password: 'second-Secret-q7' }],
    ['takes the password away', { password: null }],
    ['deactivates the user', { active: false }],
    ['does both', { password: 'second-Secret-q7', active: false }],
  ])('that %s ends the sessions, in record and account, once', async (_what, changes) => {
    await run(changes, { dryRun: true });
    expect(await tokensFrom()).toEqual(NEVER);
    const earliest = nextSecond();
    await run(changes);
    const [ofUser, ofAccount] = await tokensFrom();
    expect(ofAccount).toBe(ofUser);
    expect([earliest, nextSecond()]).toContain(ofUser);
    expect((await run(changes)).outcomes).toMatchObject({ 'tenants[0].users[0]': 'left' });
    expect(await tokensFrom()).toEqual([ofUser, ofAccount]);
  });

  it('that lets the user in again, or gives it its first password, keeps the time or makes it later', async () => {
    await run({ active: false });
    const [before] = await tokensFrom();
    await run({});
    expect(await tokensFrom()).toEqual([before, before]);
    await run({ password: null });
    const [without] = await tokensFrom();
    expect(String(without) > String(before)).toBe(true);
    await run({});
    const [again, ofAccount] = await tokensFrom();
    expect(String(again) > String(without)).toBe(true);
    expect(ofAccount).toBe(again);
  });
});
