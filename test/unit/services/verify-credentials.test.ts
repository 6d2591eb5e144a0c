import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { tooManyLogins } from '../../../lib/domain/texts.ts';
import { type Credentials, type CredentialPorts, verifyCredentials } from '../../../lib/services/verify-credentials.ts';

const user = { userId: '1', tokensFromMs: 2_000 } as User;
const snapshot = { user } as AccessSnapshot;
const reference = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };
const account = { tenant: 'a.example', loginName: 'ana', user: reference, isUsername: false };

const rightAccount = { passwordHash: 'hash of right', tokensFromMs: 2_000 };

const nobody = async () => ({ account: { ...account, user: null }, hasKey: false });
const credentials: Credentials = {
  source: '203.0.113.1',
  password: 'right',
  apiKeyHash: null,
  findAccount: async () => ({ account, hasKey: false }),
  fit: () => true,
  log: {},
};

const STATUS = { limit: 5, remaining: 4, resetAt: 1, failuresToday: 3 };

type Faulty = Partial<CredentialPorts['guards'] & CredentialPorts['directory'] & CredentialPorts>;

/** Ports of a world in which everything works but what is given, with what the guards were told. */
function world({ admit, admitToAccount, readSnapshot, verifyPassword }: Faulty = {}) {
  const told: string[] = [];
  const ports: CredentialPorts = {
    guards: {
      look: async () => STATUS,
      admit:
        admit ??
        (async () => ({
          succeed: async () => (told.push('right, source'), STATUS),
          fail: async () => (told.push('wrong, source'), STATUS),
        })),
      admitToAccount:
        admitToAccount ??
        (async () => ({
          ...rightAccount,
          succeed: async () => void told.push('right, account'),
          fail: async () => (told.push('wrong, account'), 7),
        })),
    },
    directory: { readSnapshot: readSnapshot ?? (async () => snapshot) },
    verifyPassword: verifyPassword ?? (async (password, hash) => hash === `hash of ${password}`),
  };
  return { told, ports };
}

const broken = async () => {
  throw new Error('no answer');
};
const blocked = new ServiceError('RATE_LIMITED', tooManyLogins);
const refused = () => Promise.reject(blocked);

describe('the check of credentials', () => {
  it('leaves it to the caller to tell the guards of right ones, with what was read', async () => {
    const { told, ports } = world();
    const checked = await verifyCredentials(ports, credentials);
    expect(checked).toMatchObject({ kind: 'right', user, tenant: 'a.example', snapshot });
    expect(told).toEqual([]);
    expect(checked.kind === 'right' && (await checked.succeed())).toBe(STATUS);
    expect(told).toEqual(['right, source', 'right, account']);
  });

  it.each([
    ['the account', { user: 3_000, account: 2_000 }],
    ['the user', { user: 2_000, account: 3_000 }],
  ])('takes the older time from which tokens are valid when %s was read before all sessions ended', async (_, read) => {
    const uncounted = { succeed: async () => undefined, fail: async () => 0 };
    const { ports } = world({
      readSnapshot: async () => ({ ...snapshot, user: { ...user, tokensFromMs: read.user } }),
      admitToAccount: async () => ({ ...rightAccount, ...uncounted, tokensFromMs: read.account }),
    });
    expect(await verifyCredentials(ports, credentials)).toMatchObject({ kind: 'right', tokensFromMs: 2_000 });
  });

  it.each<[string, Partial<Credentials>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { findAccount: nobody, fit: () => false }],
    ['other credentials that do not fit', { fit: () => false }],
  ])('tells the guards of %s', async (_what, wrong) => {
    const { told, ports } = world();
    expect(await verifyCredentials(ports, { ...credentials, ...wrong })).toEqual({ kind: 'wrong', guard: STATUS });
    expect(told).toEqual(['wrong, source', 'wrong, account']);
  });

  it('uses up no failure of the account for what the source is not told, or what cannot be checked', async () => {
    const late = world({ admit: async () => ({ succeed: refused, fail: refused }) });
    await expect(verifyCredentials(late.ports, { ...credentials, password: 'wrong' })).rejects.toBe(blocked);
    const unchecked = world({ verifyPassword: broken });
    await expect(verifyCredentials(unchecked.ports, credentials)).rejects.toThrow('no answer');
    expect([...late.told, ...unchecked.told]).toEqual([]);
  });

  it.each<[string, Faulty, Partial<Credentials>]>([
    ['the guard of sources cannot be asked', { admit: broken }, {}],
    ['the account cannot be looked up', {}, { findAccount: broken }],
    ['the account cannot be read', { admitToAccount: broken }, {}],
    ['the snapshot cannot be read', { readSnapshot: broken }, {}],
  ])('counts nothing when %s, and the answer is SERVICE_UNAVAILABLE', async (_what, faulty, request) => {
    const { told, ports } = world(faulty);
    const checked = verifyCredentials(ports, { ...credentials, ...request });
    await expect(checked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(told).toEqual([]);
  });

  it.each<[string, Faulty]>([
    ['source', { admit: async () => ({ succeed: broken, fail: broken }) }],
    ['account', { admitToAccount: async () => ({ ...rightAccount, succeed: broken, fail: broken }) }],
  ])('tells no outcome when it cannot be counted for the %s', async (_what, faulty) => {
    const { ports } = world(faulty);
    const wrong = verifyCredentials(ports, { ...credentials, password: 'wrong' });
    await expect(wrong).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const right = await verifyCredentials(ports, credentials);
    await expect(right.kind === 'right' && right.succeed()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each<[string, Faulty, Partial<Credentials>]>([
    ['a blocked source', { admit: refused }, {}],
    ['a blocked source, also when the account cannot be looked up', { admit: refused }, { findAccount: broken }],
    ['an account whose failures are used up', { admitToAccount: refused }, {}],
  ])('checks no password for %s', async (_what, refusing, request) => {
    const { told, ports } = world({ ...refusing, verifyPassword: broken });
    await expect(verifyCredentials(ports, { ...credentials, ...request })).rejects.toBe(blocked);
    expect(told).toEqual([]);
  });

  it('counts a refusal because of the account at the source, so that who goes on asking blocks itself', async () => {
    const spent = new ServiceError('RATE_LIMITED', tooManyLogins, { reason: 'spent-account' });
    const asking = { ...credentials, log: {} };
    const { told, ports } = world({ admitToAccount: () => Promise.reject(spent), verifyPassword: broken });
    await expect(verifyCredentials(ports, asking)).rejects.toBe(spent);
    expect([told, asking.log]).toMatchObject([['wrong, source'], { failuresOfDay: { source: 3, account: 0 } }]);

    // Others of this source have used up its failures meanwhile.
    const late = async () => ({ succeed: refused, fail: refused });
    const { ports: latePorts } = world({ admit: late, admitToAccount: () => Promise.reject(spent) });
    await expect(verifyCredentials(latePorts, asking)).rejects.toBe(blocked);
  });

  it('tells whose account it is, also of an attempt that is refused, and how many failures there are of one that is wrong', async () => {
    const logOf = async (changes: Partial<Credentials>, faulty?: Faulty) => {
      const attempted = { ...credentials, ...changes, log: {} };
      await verifyCredentials(world(faulty).ports, attempted).catch(() => undefined);
      return attempted.log;
    };
    expect(await logOf({})).toEqual({ claimedUser: reference });
    expect(await logOf({}, { admit: refused })).toEqual({ claimedUser: reference });
    const failuresOfDay = { source: 3, account: 7 };
    expect(await logOf({ password: 'wrong' })).toEqual({ claimedUser: reference, failuresOfDay });
    expect(await logOf({ password: 'wrong', findAccount: nobody })).toEqual({
      failuresOfDay: { source: 3, account: 0 },
    });
  });
});
