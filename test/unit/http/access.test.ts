import { expect, it } from 'vitest';
import { countRequest } from '../../../lib/http/access.ts';
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
