import { describe, expect, it } from 'vitest';
import { type AccessSnapshot, PERMISSIONS, type User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { userNotVerified } from '../../../lib/domain/texts.ts';
import { createLoginEndpoint, type LoginPorts, type LoginRequest } from '../../../lib/endpoints/login.ts';
import { type LoginCredentialPorts, verifyLoginCredentials } from '../../../lib/http/guard-login.ts';
import { aRequest } from '../../support/service/request-state.ts';

const RIGHT = { limit: 5, remaining: 5, resetAt: 1 };
const WRONG = { limit: 5, remaining: 4, resetAt: 1 };
const NOW = new Date('2026-07-01T10:00:00.000Z');
const reference = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
const user: User = {
  ...{ userId: '77', companyId: '5', supplierId: '9', email: 'ana@demo.example', permissions: [PERMISSIONS.read] },
  ...{ active: true, licenseActive: true, expiresAt: null, tokensNotBeforeMs: 0, playerIds: [] },
};

interface Ports extends LoginPorts, LoginCredentialPorts {
  readonly directory: LoginPorts['directory'] & LoginCredentialPorts['directory'];
}

/** Ports with one user, that write down what is asked of them. */
function ports() {
  const log: string[] = [];
  const snapshotOf = (known: boolean): AccessSnapshot => ({
    tenant: { tenant: 'demo.example', tolerance: null },
    ...{ apiKey: null, keyCompany: null, supplier: null, supplierCompany: null },
    user: known ? user : null,
    userCompany: known ? { companyId: '5', status: 'ACTIVE' } : null,
  });
  const fakes: Ports = {
    guards: {
      getStatus: async () => RIGHT,
      beginAttempt: async () => ({
        recordSuccess: async () => RIGHT,
        recordFailure: async () => ({ ...WRONG, failuresToday: 1 }),
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
        return snapshotOf(userId === user.userId);
      },
      addPlayerId: async (_tenant, { userId }, playerId, most) => {
        log.push(`add ${playerId} to ${userId}, of ${most}`);
        if (playerId === 'refused') throw new Error('no table');
      },
    },
    verifyPassword: async (password, hash) => {
      log.push(`check a password against ${hash}`);
      return hash === `hash of ${password}`;
    },
    signToken: async ({ userId }) => `token of ${userId}`,
  };
  return { fakes, log };
}

type Trial = { changed?: Partial<Ports> } & Partial<Record<'email' | 'password' | 'playerid', string>>;

const attempt = ({ changed, ...sent }: Trial = {}) => {
  const { fakes: usual, log } = ports();
  const fakes = { ...usual, ...changed };
  const input = { email: 'ana@demo.example', password: 'secret', playerid: null, ...sent };
  const request = aRequest({ tenant: 'demo.example', input }, NOW);
  const respond = async () => {
    await verifyLoginCredentials(fakes).before?.({ event: { state: request } } as never);
    return createLoginEndpoint(fakes)(request as unknown as LoginRequest);
  };
  return { log, request, answer: respond() };
};

describe('a login', () => {
  it.each([
    [new ServiceError('SERVICE_UNAVAILABLE', userNotVerified), { rate: RIGHT }],
    [new Error('no table'), {}],
  ])(
    'that gets no token, as no key can be read, is told so after the guards, and is no refused one: %s',
    async (fault, told) => {
      const { answer, request } = attempt({ changed: { signToken: () => Promise.reject(fault) } });
      await expect(answer).rejects.toBe(fault);
      expect(request).toMatchObject(told);
    },
  );

  it('keeps a player id that is sent, and succeeds also when that fails', async () => {
    const logged: unknown[] = [];
    for (const playerid of ['', 'player', 'refused']) {
      const { answer, log, request } = attempt({ playerid });
      request.logger.warn = (message, attributes) => logged.push([message, attributes]);
      expect(await answer).toEqual({ data: { authorization: 'token of 77' } });
      expect(log.slice(2)).toEqual(playerid === '' ? [] : [`add ${playerid} to 77, of 10`]);
    }
    expect(logged).toEqual([['The player id could not be stored.', { error: new Error('no table') }]]);
  });
});
