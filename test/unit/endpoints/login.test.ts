import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { login, type LoginPorts } from '../../../lib/endpoints/login.ts';

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
  const fakes: LoginPorts<string> = {
    admit: () => Promise.resolve({ succeed: () => Promise.resolve('success'), fail: () => Promise.resolve('failure') }),
    findEmail: (tenant, email) =>
      Promise.resolve({ tenant, loginName: email, user: email.toLowerCase() === user.email ? reference : null }),
    admitToAccount: (account) =>
      Promise.resolve({
        passwordHash: account.user && 'hash of secret',
        tokensFromMs: 0,
        succeed: () => Promise.resolve(),
        fail: () => Promise.resolve(),
      }),
    readSnapshot: ({ userId }) => {
      log.push(`read the user ${userId}`);
      return Promise.resolve(snapshotOf(userId === user.userId));
    },
    verifyPassword: (password, hash) => {
      log.push(`check a password against ${hash}`);
      return Promise.resolve(hash === `hash of ${password}`);
    },
    requireActiveUser: () => user,
    addPlayerId: () => Promise.resolve(),
    signToken: ({ userId }) => Promise.resolve(`token of ${userId}`),
  };
  return { fakes, log };
}

const attempt = (email: string, password: string) => {
  const { fakes, log } = ports();
  const request = {
    tenant: 'demo.example',
    email,
    password,
    playerId: undefined,
    source: '10.0.0.1',
    onUser: () => undefined,
  };
  return { log, result: login(fakes, request, NOW) };
};

describe('a login', () => {
  it('gives a token for the right password', async () => {
    const { result } = attempt('Ana@demo.example', 'secret');
    expect(await result).toEqual({ guard: 'success', token: 'token of 77', user: reference });
  });

  it('of an unknown user takes the same path as one with a wrong password: same reads, same check, same answer', async () => {
    const wrong = attempt('ana@demo.example', 'guess');
    const unknown = attempt('nobody@demo.example', 'guess');
    const refusal = {
      guard: 'failure',
      wrong: true,
      error: expect.objectContaining({ code: 'UNAUTHORIZED', message: 'Invalid email or password.' }),
    };
    expect(await wrong.result).toEqual(refusal);
    expect(await unknown.result).toEqual(refusal);
    expect(wrong.log).toEqual(['read the user 77', 'check a password against hash of secret']);
    expect(unknown.log).toEqual(['read the user 0', 'check a password against null']);
  });
});
