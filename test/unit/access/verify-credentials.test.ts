import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { tooManyLogins } from '../../../lib/domain/texts.ts';
import { type Credentials, type CredentialPorts, verifyCredentials } from '../../../lib/access/verify-credentials.ts';

const user = { userId: '1', tokensNotBeforeMs: 2_000 } as User;
const snapshot = { user } as AccessSnapshot;
const reference = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };
const account = { tenant: 'a.example', loginName: 'ana', user: reference };

const rightAccount = { passwordHash: 'hash of right', tokensNotBeforeMs: 2_000 };

const nobody = async () => ({ ...account, user: null });
const credentials: Credentials = {
  source: '203.0.113.1',
  password: 'right',
  apiKeyHash: null,
  findAccount: async () => account,
  matchesSnapshot: () => true,
  log: {},
};

const STATUS = { limit: 5, remaining: 4, resetAt: 1, failuresToday: 3 };

type Faulty = Partial<CredentialPorts['guards'] & CredentialPorts['directory'] & CredentialPorts>;

/** Ports of a world in which everything works except what is given, with the outcomes that the guards recorded. */
function world({ beginAttempt, beginAccountAttempt, readSnapshot, verifyPassword }: Faulty = {}) {
  const recorded: string[] = [];
  const ports: CredentialPorts = {
    guards: {
      getStatus: async () => STATUS,
      beginAttempt:
        beginAttempt ??
        (async () => ({
          recordSuccess: async () => (recorded.push('right, source'), STATUS),
          recordFailure: async () => (recorded.push('wrong, source'), STATUS),
        })),
      beginAccountAttempt:
        beginAccountAttempt ??
        (async () => ({
          ...rightAccount,
          recordSuccess: async () => void recorded.push('right, account'),
          recordFailure: async () => (recorded.push('wrong, account'), 7),
        })),
    },
    directory: { readSnapshot: readSnapshot ?? (async () => snapshot) },
    verifyPassword: verifyPassword ?? (async (password, hash) => hash === `hash of ${password}`),
  };
  return { recorded, ports };
}

const broken = async () => {
  throw new Error('no answer');
};
const blocked = new ServiceError('RATE_LIMITED', tooManyLogins);
const refused = () => Promise.reject(blocked);

describe('the check of credentials', () => {
  it('right credentials are returned with what was read, and the caller records their success', async () => {
    const { recorded, ports } = world();
    const checked = await verifyCredentials(ports, credentials);
    expect(checked).toMatchObject({ kind: 'valid', user, tenant: 'a.example', snapshot });
    expect(recorded).toEqual([]);
    expect(checked.kind === 'valid' && (await checked.recordSuccess())).toBe(STATUS);
    expect(recorded).toEqual(['right, source', 'right, account']);
  });

  it.each([
    ['the account', { user: 3_000, account: 2_000 }],
    ['the user', { user: 2_000, account: 3_000 }],
  ])('takes the older time from which tokens are valid when %s was read before all sessions ended', async (_, read) => {
    const uncounted = { recordSuccess: async () => undefined, recordFailure: async () => 0 };
    const { ports } = world({
      readSnapshot: async () => ({ ...snapshot, user: { ...user, tokensNotBeforeMs: read.user } }),
      beginAccountAttempt: async () => ({ ...rightAccount, ...uncounted, tokensNotBeforeMs: read.account }),
    });
    expect(await verifyCredentials(ports, credentials)).toMatchObject({ kind: 'valid', tokensNotBeforeMs: 2_000 });
  });

  it.each<[string, Partial<Credentials>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { findAccount: nobody, matchesSnapshot: () => false }],
    ['other credentials that do not fit', { matchesSnapshot: () => false }],
  ])('both guards record a failure for %s', async (_what, wrong) => {
    const { recorded, ports } = world();
    expect(await verifyCredentials(ports, { ...credentials, ...wrong })).toEqual({ kind: 'invalid', guard: STATUS });
    expect(recorded).toEqual(['wrong, source', 'wrong, account']);
  });

  it('a failure that the source guard rejects, or a password that cannot be checked, uses no slot of the account', async () => {
    const late = world({ beginAttempt: async () => ({ recordSuccess: refused, recordFailure: refused }) });
    await expect(verifyCredentials(late.ports, { ...credentials, password: 'wrong' })).rejects.toBe(blocked);
    const unchecked = world({ verifyPassword: broken });
    await expect(verifyCredentials(unchecked.ports, credentials)).rejects.toThrow('no answer');
    expect([...late.recorded, ...unchecked.recorded]).toEqual([]);
  });

  it.each<[string, Faulty, Partial<Credentials>]>([
    ['the guard of sources cannot be read', { beginAttempt: broken }, {}],
    ['the account cannot be looked up', {}, { findAccount: broken }],
    ['the account cannot be read', { beginAccountAttempt: broken }, {}],
    ['the snapshot cannot be read', { readSnapshot: broken }, {}],
  ])('nothing is recorded and the error is SERVICE_UNAVAILABLE if %s', async (_what, faulty, request) => {
    const { recorded, ports } = world(faulty);
    const checked = verifyCredentials(ports, { ...credentials, ...request });
    await expect(checked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(recorded).toEqual([]);
  });

  it.each<[string, Faulty]>([
    ['source', { beginAttempt: async () => ({ recordSuccess: broken, recordFailure: broken }) }],
    [
      'account',
      { beginAccountAttempt: async () => ({ ...rightAccount, recordSuccess: broken, recordFailure: broken }) },
    ],
  ])('no outcome is returned if it cannot be recorded for the %s', async (_what, faulty) => {
    const { ports } = world(faulty);
    const wrong = verifyCredentials(ports, { ...credentials, password: 'wrong' });
    await expect(wrong).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const right = await verifyCredentials(ports, credentials);
    await expect(right.kind === 'valid' && right.recordSuccess()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it.each<[string, Faulty, Partial<Credentials>]>([
    ['a source that is locked out', { beginAttempt: refused }, {}],
    [
      'a source that is locked out, also if the account cannot be read',
      { beginAttempt: refused },
      { findAccount: broken },
    ],
    ['an account that is locked', { beginAccountAttempt: refused }, {}],
  ])('no password is checked for %s', async (_what, refusing, request) => {
    const { recorded, ports } = world({ ...refusing, verifyPassword: broken });
    await expect(verifyCredentials(ports, { ...credentials, ...request })).rejects.toBe(blocked);
    expect(recorded).toEqual([]);
  });

  it('an attempt on a locked account counts as a failure of its source', async () => {
    const locked = new ServiceError('RATE_LIMITED', tooManyLogins, { reason: 'account-locked' });
    const asking = { ...credentials, log: {} };
    const { recorded, ports } = world({ beginAccountAttempt: () => Promise.reject(locked), verifyPassword: broken });
    await expect(verifyCredentials(ports, asking)).rejects.toBe(locked);
    expect([recorded, asking.log]).toMatchObject([['wrong, source'], { failureCounts: { source: 3, account: 0 } }]);

    // Other attempts have locked the source out meanwhile.
    const late = async () => ({ recordSuccess: refused, recordFailure: refused });
    const { ports: latePorts } = world({ beginAttempt: late, beginAccountAttempt: () => Promise.reject(locked) });
    await expect(verifyCredentials(latePorts, asking)).rejects.toBe(blocked);
  });

  it('the log gets the user of the account, also of a rejected attempt, and the failures after a wrong password', async () => {
    const logOf = async (changes: Partial<Credentials>, faulty?: Faulty) => {
      const attempted = { ...credentials, ...changes, log: {} };
      await verifyCredentials(world(faulty).ports, attempted).catch(() => undefined);
      return attempted.log;
    };
    expect(await logOf({})).toEqual({ attemptedUser: reference });
    expect(await logOf({}, { beginAttempt: refused })).toEqual({ attemptedUser: reference });
    const failureCounts = { source: 3, account: 7 };
    expect(await logOf({ password: 'wrong' })).toEqual({ attemptedUser: reference, failureCounts });
    expect(await logOf({ password: 'wrong', findAccount: nobody })).toEqual({
      failureCounts: { source: 3, account: 0 },
    });
  });
});
