import { expect, it } from 'vitest';
import { ERROR_CODES, orServiceUnavailable, selectErrorCodes, ServiceError } from '../../../lib/domain/errors.ts';
import { tooManyRequests } from '../../../lib/domain/texts.ts';
import { proves } from '../../rules/proves.ts';

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
] as const)('the error code %s has the HTTP status %i', (code, status) => {
  proves(`codes/${code}`);
  expect(ERROR_CODES[code].status).toBe(status);
});

it('selectErrorCodes returns only the codes of the given scopes', () => {
  expect(selectErrorCodes('token', 'contract')).toContain('TOKEN_EXPIRED');
  expect(selectErrorCodes('token', 'contract')).toContain('NOT_FOUND');
  expect(selectErrorCodes('token', 'contract')).not.toContain('RATE_LIMITED');
});

it('orServiceUnavailable converts an unexpected error to SERVICE_UNAVAILABLE with its cause, and keeps a ServiceError', async () => {
  proves('auth/rule-5/unavailable');
  const cause = new Error('no table');
  await expect(orServiceUnavailable(Promise.reject(cause))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause,
  });
  const serviceError = new ServiceError('RATE_LIMITED', tooManyRequests);
  await expect(orServiceUnavailable(Promise.reject(serviceError))).rejects.toBe(serviceError);
  expect(await orServiceUnavailable(Promise.resolve('user'))).toBe('user');
});
