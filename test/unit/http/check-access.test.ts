import { expect, it } from 'vitest';
import { countRequest, requireTokenAndKey } from '../../../lib/http/check-access.ts';
import { aRequest } from '../../support/service/request-state.ts';

it('the count of a request does not hold it up when it cannot be made, and the log says so', async () => {
  const error = new Error('no table');
  const logged: unknown[] = [];
  const state = aRequest({});
  state.logger.warn = (message, attributes) => logged.push([message, attributes]);
  expect(await countRequest({ count: () => Promise.reject(error) }, 'read', 'a.example#77', state)).toEqual({
    kind: 'allowed',
  });
  expect(logged).toEqual([['The rate limiter could not be reached.', { error }]]);
  expect(state).toMatchObject({ limiterUnavailable: true, rate: null });
});

it('jwt keeps the user for the log line if the API key cannot be one', async () => {
  const identity = { tenant: 'a.example', userId: '77', companyId: '5', supplierId: '9' };
  const verify = async () => ({ identity, session: { issuedAtSeconds: 1, tokensNotBeforeMs: 0 } });
  const event = { headers: { 'x-api-key': 'unknown' }, state: { ...aRequest({}), tenant: 'a.example' } };
  await expect(requireTokenAndKey(verify).before?.({ event } as never)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(event.state).toMatchObject({ identity });
});
