import { expect, it } from 'vitest';
import { countRequest } from '../../../lib/http/count-request.ts';
import { requireTokenAndKey } from '../../../lib/http/credentials.ts';
import { buildRequestState } from '../../support/service/request-state.ts';

it('countRequest allows a request and logs a warning if the rate limiter fails', async () => {
  const error = new Error('no table');
  const logged: unknown[] = [];
  const state = buildRequestState({});
  state.logger.warn = (message, attributes) => logged.push([message, attributes]);
  expect(await countRequest({ count: () => Promise.reject(error) }, 'read', 'a.example#77', state)).toEqual({
    kind: 'allowed',
  });
  expect(logged).toEqual([['The rate limiter could not be reached.', { error }]]);
  expect(state).toMatchObject({ limiterUnavailable: true, rate: null });
});

it('jwt keeps the user for the log line if the format of the API key is invalid', async () => {
  const identity = { tenant: 'a.example', userId: '77', companyId: '5', supplierId: '9' };
  const verify = async () => ({ identity, session: { tokensNotBeforeMs: 0 } });
  const event = { headers: { 'x-api-key': 'unknown' }, state: { ...buildRequestState({}), tenant: 'a.example' } };
  await expect(requireTokenAndKey(verify).before?.({ event } as never)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(event.state).toMatchObject({ identity });
});
