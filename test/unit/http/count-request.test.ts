import { expect, it } from 'vitest';
import { buildRateLimitSubject } from '../../../lib/http/count-request.ts';

it('the requests of a session that was ended do not count against the new sessions of the user', () => {
  const user = { tenant: 'demo.example', userId: '77', companyId: '5', supplierId: '9' };
  expect(buildRateLimitSubject(user, { tokensNotBeforeMs: 0 })).toBe('demo.example#77');
  expect(buildRateLimitSubject(user, { tokensNotBeforeMs: 5 })).toBe('demo.example#77#5');
});
