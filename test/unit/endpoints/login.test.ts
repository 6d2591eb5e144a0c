import { describe, expect, it } from 'vitest';
import { type AccessSnapshot, PERMISSIONS, type User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { userNotVerified } from '../../../lib/domain/texts.ts';
import { createLoginEndpoint, type LoginPorts, type LoginRequest } from '../../../lib/endpoints/login.ts';
import { type LoginCredentialPorts, verifyLoginCredentials } from '../../../lib/http/guard-login.ts';
import { buildRequestState } from '../../support/service/request-state.ts';

const STATUS_AFTER_SUCCESS = { limit: 5, remaining: 5, resetAt: 1 };
const STATUS_AFTER_FAILURE = { limit: 5, remaining: 4, resetAt: 1 };
const NOW = new Date('2026-07-01T10:00:00.000Z');
const reference = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const user: User = {
  ...{ userId: '77', companyId: '5', supplierId: '9', email: 'ana@demo.example', permissions: [PERMISSIONS.read] },
  ...{ isActive: true, hasActiveLicense: true, expiresAt: null, tokensNotBeforeMs: 0, playerIds: [] },
};

/** Creates ports with one user, and a log of the calls to them. */
function createPorts() {
  const log: string[] = [];
  const buildSnapshot = (isKnown: boolean): AccessSnapshot => ({
    tenant: { tenant: 'demo.example', tolerance: null },
    ...{ apiKey: null, keyCompany: null, supplier: null, supplierCompany: null },
    user: isKnown ? user : null,
    userCompany: isKnown ? { companyId: '5', status: 'ACTIVE' } : null,
  });
  const fakes: LoginPorts & LoginCredentialPorts = {
    guards: {
      getStatus: async () => STATUS_AFTER_SUCCESS,
      beginAttempt: async () => ({
        recordSuccess: async () => STATUS_AFTER_SUCCESS,
        recordFailure: async () => ({ ...STATUS_AFTER_FAILURE, failuresToday: 1 }),
      }),
      beginAccountAttempt: async (account) => ({
        passwordHash: account.user && 'hash of secret',
        tokensNotBeforeMs: 0,
        recordSuccess: async () => undefined,
        recordFailure: async () => 1,
      }),
    },
    directory: {
      findLogin: async (tenant, loginName) => ({
        tenant,
        loginName,
        user: [user.email, 'ana'].includes(loginName.toLowerCase()) ? reference : null,
      }),
      readSnapshot: async ({ userId }) => {
        log.push(`read the user ${userId}`);
        return buildSnapshot(userId === user.userId);
      },
    },
    addPlayerId: async (_tenant, { userId }, playerId, max) => {
      log.push(`add ${playerId} to ${userId}, of ${max}`);
      if (playerId === 'rejected') throw new Error('no table');
    },
    verifyPassword: async (password, hash) => {
      log.push(`check a password against ${hash}`);
      return hash === `hash of ${password}`;
    },
    signToken: async ({ userId }) => `token of ${userId}`,
  };
  return { fakes, log };
}

type Trial = { overrides?: Partial<LoginPorts & LoginCredentialPorts> } & Partial<
  Record<'email' | 'password' | 'playerid', string>
>;

const attempt = ({ overrides, ...sent }: Trial = {}) => {
  const { fakes: defaults, log } = createPorts();
  const fakes = { ...defaults, ...overrides };
  const input = { email: 'ana@demo.example', password: 'secret', playerid: null, ...sent };
  const request = buildRequestState({ tenant: 'demo.example', input }, NOW);
  const respond = async () => {
    await verifyLoginCredentials(fakes).before?.({ event: { state: request } } as never);
    return createLoginEndpoint(fakes)(request as unknown as LoginRequest);
  };
  return { log, request, response: respond() };
};

describe('a login', () => {
  it('a login with the correct password identifies the user, and one with another password has a reason', async () => {
    const { request, response } = attempt();
    expect(await response).toEqual({ data: { authorization: 'token of 77' } });
    expect(request).toMatchObject({ identity: reference });
    const error = expect.objectContaining({ code: 'UNAUTHORIZED', reason: 'wrong-credentials' });
    await expect(attempt({ password: 'wrong' }).response).rejects.toEqual(error);
  });

  it.each([
    [new ServiceError('SERVICE_UNAVAILABLE', userNotVerified), { rate: STATUS_AFTER_SUCCESS }],
    [new Error('no table'), {}],
  ])(
    'a login whose token cannot be signed is rejected after the guards, and not counted as a failure: %s',
    async (failure, expected) => {
      const { response, request } = attempt({ overrides: { signToken: () => Promise.reject(failure) } });
      await expect(response).rejects.toBe(failure);
      expect(request).toMatchObject(expected);
    },
  );

  it('a login stores its player id, and succeeds even if that fails', async () => {
    const logged: unknown[] = [];
    for (const playerid of ['', 'player', 'rejected']) {
      const { response, log, request } = attempt({ playerid });
      request.logger.warn = (message, attributes) => logged.push([message, attributes]);
      expect(await response).toEqual({ data: { authorization: 'token of 77' } });
      expect(log.slice(2)).toEqual(playerid === '' ? [] : [`add ${playerid} to 77, of 10`]);
    }
    expect(logged).toEqual([['The player id could not be stored.', { error: new Error('no table') }]]);
  });
});
