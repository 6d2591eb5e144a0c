import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { userNotVerified } from '../../../lib/domain/texts.ts';
import { login, type LoginPorts } from '../../../lib/endpoints/login.ts';
import { aRequest } from '../../support/service/request-state.ts';

const RIGHT = { limit: 5, remaining: 5, resetAt: 1 };
const WRONG = { limit: 5, remaining: 4, resetAt: 1 };
const NOW = new Date('2026-07-01T10:00:00.000Z');
const reference = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const user: User = {
  userId: '77',
  companyId: '5',
  supplierId: '9',
  email: 'ana@demo.example',
  permissions: ['APICLI_PORTALPROVEEDOR_READ'],
  active: true,
  licenseActive: true,
  expiresAt: null,
  tokensFromMs: 0,
  playerIds: [],
};

/** Ports with one user, that write down what is asked of them. */
function ports() {
  const log: string[] = [];
  const snapshotOf = (known: boolean): AccessSnapshot => ({
    tenant: { tenant: 'demo.example', tolerance: null },
    apiKey: null,
    keyCompany: null,
    user: known ? user : null,
    userCompany: known ? { companyId: '5', status: 'ACTIVE' } : null,
    supplier: null,
    supplierCompany: null,
  });
  const fakes: LoginPorts = {
    guards: {
      look: async () => RIGHT,
      admit: async () => ({ succeed: async () => RIGHT, fail: async () => ({ ...WRONG, failuresToday: 1 }) }),
      admitToAccount: async (account) => ({
        passwordHash: account.user && 'hash of secret',
        tokensFromMs: 0,
        succeed: async () => undefined,
        fail: async () => 1,
      }),
    },
    directory: {
      findLogin: async (tenant, loginName) => ({
        tenant,
        loginName,
        isUsername: loginName === 'ana',
        user: [user.email, 'ana'].includes(loginName.toLowerCase()) ? reference : null,
      }),
      findApiKey: async () => null,
      readSnapshot: async ({ userId }) => {
        log.push(`read the user ${userId}`);
        return snapshotOf(userId === user.userId);
      },
      addPlayerId: async () => undefined,
    },
    verifyPassword: async (password, hash) => {
      log.push(`check a password against ${hash}`);
      return hash === `hash of ${password}`;
    },
    isOwnKey: () => false,
    requireActiveUser: () => user,
    signToken: async ({ userId }) => `token of ${userId}`,
  };
  return { fakes, log };
}

const attempt = (email: string, password: string, changed: Partial<LoginPorts> = {}) => {
  const { fakes: usual, log } = ports();
  const fakes = { ...usual, ...changed };
  const request = aRequest({ tenant: 'demo.example', apiKeyHash: null, input: { email, password } }, NOW);
  return { log, request, answer: login(fakes)(request) };
};

describe('a login', () => {
  it('gives a token for the right password', async () => {
    const { answer, request } = attempt('Ana@demo.example', 'secret');
    expect(await answer).toEqual({ data: { authorization: 'token of 77' } });
    expect(request).toMatchObject({ rate: RIGHT, identity: reference });
  });

  it('that gets no token because no key can be read is told so after the guards, and is no refused one', async () => {
    const unavailable = new ServiceError('SERVICE_UNAVAILABLE', userNotVerified);
    const signToken = () => Promise.reject(unavailable);
    const { answer, request } = attempt('ana@demo.example', 'secret', { signToken });
    await expect(answer).rejects.toBe(unavailable);
    expect(request).toMatchObject({ rate: RIGHT });
    expect(request.loginRefused).toBeUndefined();
  });

  it('of an unknown user takes the same path as one with a wrong password: same reads, same check, same answer', async () => {
    const wrong = attempt('ana@demo.example', 'guess');
    const unknown = attempt('nobody@demo.example', 'guess');
    const refusal = expect.objectContaining({ code: 'UNAUTHORIZED', message: 'Invalid email or password.' });
    await expect(wrong.answer).rejects.toEqual(refusal);
    await expect(unknown.answer).rejects.toEqual(refusal);
    for (const { request } of [wrong, unknown]) {
      expect(request).toMatchObject({ rate: WRONG, loginRefused: 'wrong-credentials' });
    }
    // A username is a login name too, but not here.
    const username = attempt('ana', 'secret');
    await expect(username.answer).rejects.toEqual(refusal);
    expect(username.log).toEqual(['read the user 77', 'check a password against null']);
    expect(wrong.log).toEqual(['read the user 77', 'check a password against hash of secret']);
    expect(unknown.log).toEqual(['read the user 0', 'check a password against null']);
  });
});
