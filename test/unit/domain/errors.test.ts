import { expect, it } from 'vitest';
import { ERROR_CODES, orServiceUnavailable, ServiceError } from '../../../lib/domain/errors.ts';
import { tooManyRequests } from '../../../lib/domain/texts.ts';

it.each([
  ['VALIDATION_ERROR', 400],
  ['INVALID_DATE_RANGE', 400],
  ['UNAUTHORIZED', 401],
  ['TOKEN_EXPIRED', 401],
  ['FORBIDDEN', 403],
  ['COMPANY_SUSPENDED', 403],
  ['NOT_FOUND', 404],
  ['RATE_LIMITED', 429],
  ['INTERNAL_ERROR', 500],
  ['SERVICE_UNAVAILABLE', 503],
] as const)('error codes have their HTTP status: %s, %i [codes/$0]', (code, status) => {
  expect(ERROR_CODES[code].status).toBe(status);
});

it('while a user is verified a failure to read is SERVICE_UNAVAILABLE, with its cause for the log; a refusal stays what it is [auth/rule-5/unavailable]', async () => {
  const cause = new Error('no table');
  await expect(orServiceUnavailable(Promise.reject(cause))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause,
  });
  const refusal = new ServiceError('RATE_LIMITED', tooManyRequests);
  await expect(orServiceUnavailable(Promise.reject(refusal))).rejects.toBe(refusal);
  expect(await orServiceUnavailable(Promise.resolve('user'))).toBe('user');
});
