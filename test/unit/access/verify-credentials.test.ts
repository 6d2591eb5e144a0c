import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { tooManyLogins } from '../../../lib/domain/texts.ts';
import { type Credentials, type CredentialPorts, verifyCredentials } from '../../../lib/access/verify-credentials.ts';

const user = { userId: '1', tokensNotBeforeMs: 2_000 } as User;
const snapshot = { user } as AccessSnapshot;
const reference = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };
const account = { tenant: 'a.example', loginName: 'ana', user: reference };

const storedAccount = { passwordHash: 'hash of right', tokensNotBeforeMs: 2_000 };

const findUnknownUser = async () => ({ ...account, user: null });
const credentials: Credentials = {
  source: '203.0.113.1',
  password: 'right',
  apiKeyHash: null,
  findAccount: async () => account,
  matchesSnapshot: () => true,
  log: {},
};

const STATUS = { limit: 5, remaining: 4, resetAt: 1, failuresToday: 3 };

type PortOverrides = Partial<CredentialPorts['guards'] & CredentialPorts['directory'] & CredentialPorts>;

/** Creates ports that work, except the given ones, and a list of the outcomes that the guards record. */
function createPorts({ beginAttempt, beginAccountAttempt, readSnapshot, verifyPassword }: PortOverrides = {}) {
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
          ...storedAccount,
          recordSuccess: async () => void recorded.push('right, account'),
          recordFailure: async () => (recorded.push('wrong, account'), 7),
        })),
    },
    directory: { readSnapshot: readSnapshot ?? (async () => snapshot) },
    verifyPassword: verifyPassword ?? (async (password, hash) => hash === `hash of ${password}`),
  };
  return { recorded, ports };
}

const fail = async () => {
  throw new Error('no response');
};
const lockoutError = new ServiceError('RATE_LIMITED', tooManyLogins);
const reject = () => Promise.reject(lockoutError);

describe('verifyCredentials', () => {
  it('returns valid credentials with the snapshot, and records their success when the caller asks for it', async () => {
    const { recorded, ports } = createPorts();
    const result = await verifyCredentials(ports, credentials);
    expect(result).toMatchObject({ kind: 'valid', user, tenant: 'a.example', snapshot });
    expect(recorded).toEqual([]);
    expect(result.kind === 'valid' && (await result.recordSuccess())).toBe(STATUS);
    expect(recorded).toEqual(['right, source', 'right, account']);
  });

  it.each([
    ['the account', { user: 3_000, account: 2_000 }],
    ['the user', { user: 2_000, account: 3_000 }],
  ])('returns the older token cutoff if %s was read before all sessions ended', async (_, read) => {
    const noCounting = { recordSuccess: async () => undefined, recordFailure: async () => 0 };
    const { ports } = createPorts({
      readSnapshot: async () => ({ ...snapshot, user: { ...user, tokensNotBeforeMs: read.user } }),
      beginAccountAttempt: async () => ({ ...storedAccount, ...noCounting, tokensNotBeforeMs: read.account }),
    });
    expect(await verifyCredentials(ports, credentials)).toMatchObject({ kind: 'valid', tokensNotBeforeMs: 2_000 });
  });

  it.each<[string, Partial<Credentials>]>([
    ['a wrong password', { password: 'wrong' }],
    ['an unknown user', { findAccount: findUnknownUser, matchesSnapshot: () => false }],
    ['credentials that do not match the snapshot', { matchesSnapshot: () => false }],
  ])('records a failure in both guards for %s', async (_what, wrong) => {
    const { recorded, ports } = createPorts();
    expect(await verifyCredentials(ports, { ...credentials, ...wrong })).toEqual({ kind: 'invalid', rate: STATUS });
    expect(recorded).toEqual(['wrong, source', 'wrong, account']);
  });

  it('records no failure of the account if the source guard rejects it or the password cannot be checked', async () => {
    const late = createPorts({ beginAttempt: async () => ({ recordSuccess: reject, recordFailure: reject }) });
    await expect(verifyCredentials(late.ports, { ...credentials, password: 'wrong' })).rejects.toBe(lockoutError);
    const unchecked = createPorts({ verifyPassword: fail });
    await expect(verifyCredentials(unchecked.ports, credentials)).rejects.toThrow('no response');
    expect([...late.recorded, ...unchecked.recorded]).toEqual([]);
  });

  it.each<[string, PortOverrides, Partial<Credentials>]>([
    ['the source guard cannot be read', { beginAttempt: fail }, {}],
    ['the account cannot be looked up', {}, { findAccount: fail }],
    ['the account cannot be read', { beginAccountAttempt: fail }, {}],
    ['the snapshot cannot be read', { readSnapshot: fail }, {}],
  ])('throws SERVICE_UNAVAILABLE and records nothing if %s', async (_what, overrides, request) => {
    const { recorded, ports } = createPorts(overrides);
    const result = verifyCredentials(ports, { ...credentials, ...request });
    await expect(result).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(recorded).toEqual([]);
  });

  it.each<[string, PortOverrides]>([
    ['source', { beginAttempt: async () => ({ recordSuccess: fail, recordFailure: fail }) }],
    ['account', { beginAccountAttempt: async () => ({ ...storedAccount, recordSuccess: fail, recordFailure: fail }) }],
  ])(
    'throws SERVICE_UNAVAILABLE instead of the outcome if it cannot be recorded for the %s',
    async (_what, overrides) => {
      const { ports } = createPorts(overrides);
      const wrong = verifyCredentials(ports, { ...credentials, password: 'wrong' });
      await expect(wrong).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      const right = await verifyCredentials(ports, credentials);
      await expect(right.kind === 'valid' && right.recordSuccess()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    },
  );

  it.each<[string, PortOverrides, Partial<Credentials>]>([
    ['a source that is locked out', { beginAttempt: reject }, {}],
    [
      'a source that is locked out, also if the account cannot be read',
      { beginAttempt: reject },
      { findAccount: fail },
    ],
    ['an account that is locked', { beginAccountAttempt: reject }, {}],
  ])('checks no password for %s', async (_what, overrides, request) => {
    const { recorded, ports } = createPorts({ ...overrides, verifyPassword: fail });
    await expect(verifyCredentials(ports, { ...credentials, ...request })).rejects.toBe(lockoutError);
    expect(recorded).toEqual([]);
  });

  it('records no failure of the source for an attempt on an account that other sources have locked', async () => {
    const locked = new ServiceError('RATE_LIMITED', tooManyLogins, { reason: 'account-locked' });
    const ports = createPorts({ beginAccountAttempt: () => Promise.reject(locked), verifyPassword: fail });
    await expect(verifyCredentials(ports.ports, credentials)).rejects.toBe(locked);
    expect(ports.recorded).toEqual([]);
  });

  it('records a failure of the source for an attempt on an account that the source has locked', async () => {
    const locked = new ServiceError('RATE_LIMITED', tooManyLogins, { reason: 'account-locked-for-source' });
    const attempt = { ...credentials, log: {} };
    const { recorded, ports } = createPorts({
      beginAccountAttempt: () => Promise.reject(locked),
      verifyPassword: fail,
    });
    await expect(verifyCredentials(ports, attempt)).rejects.toBe(locked);
    expect([recorded, attempt.log]).toMatchObject([['wrong, source'], { failureCounts: { source: 3, account: 0 } }]);

    // Meanwhile, other attempts have locked the source out.
    const beginLate = async () => ({ recordSuccess: reject, recordFailure: reject });
    const { ports: latePorts } = createPorts({
      beginAttempt: beginLate,
      beginAccountAttempt: () => Promise.reject(locked),
    });
    await expect(verifyCredentials(latePorts, attempt)).rejects.toBe(lockoutError);
  });

  it('logs the user of the account, also for a rejected attempt, and the failure counts after a wrong password', async () => {
    const readLog = async (changes: Partial<Credentials>, overrides?: PortOverrides) => {
      const attempted = { ...credentials, ...changes, log: {} };
      await verifyCredentials(createPorts(overrides).ports, attempted).catch(() => undefined);
      return attempted.log;
    };
    expect(await readLog({})).toEqual({ attemptedUser: reference });
    expect(await readLog({}, { beginAttempt: reject })).toEqual({ attemptedUser: reference });
    const failureCounts = { source: 3, account: 7 };
    expect(await readLog({ password: 'wrong' })).toEqual({ attemptedUser: reference, failureCounts });
    expect(await readLog({ password: 'wrong', findAccount: findUnknownUser })).toEqual({
      failureCounts: { source: 3, account: 0 },
    });
  });
});
