import { describe, expect, it } from 'vitest';
import { countRequest } from '../../../lib/http/access.ts';
import { PORTAL_POLICIES } from '../../../lib/rate-limit/policies.ts';
import { aRequest } from '../../support/service/request-state.ts';

const user = { tenant: 'a.example', userId: '77' };
const receivedAt = new Date('2026-07-01T10:00:00.000Z');

describe('the count of a request', () => {
  it.each(['read', 'write'] as const)('is that of the user of the tenant, for its kind: %s', async (access) => {
    const status = { limit: 30, remaining: 29, resetAt: 1 };
    const asked: unknown[] = [];
    const count = async (...question: unknown[]) => {
      asked.push(question);
      return { kind: 'allowed', status } as const;
    };
    const state = aRequest({}, receivedAt);
    expect(await countRequest({ count }, access, user, state)).toMatchObject({ kind: 'allowed' });
    expect(asked).toEqual([['a.example#77', PORTAL_POLICIES[access], receivedAt]]);
    expect(state.rate).toBe(status);
    expect(state).not.toHaveProperty('limiterUnavailable');
  });

  it('does not hold the request up when it cannot be made, and the log says so', async () => {
    const error = new Error('no table');
    const logged: unknown[] = [];
    const state = aRequest({}, receivedAt);
    state.logger.warn = (message, attributes) => logged.push([message, attributes]);
    const count = () => Promise.reject(error);
    expect(await countRequest({ count }, 'read', user, state)).toEqual({ kind: 'allowed' });
    expect(logged).toEqual([['The rate limiter could not be reached.', { error }]]);
    expect(state).toMatchObject({ limiterUnavailable: true, rate: null });
  });
});
