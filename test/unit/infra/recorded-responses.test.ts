import { expect, it } from 'vitest';
import { findDifference } from '../../../infra/openapi/recording/cases.ts';

const envelope = (code: string) => ({ error: { code } });
const legacy = (Codigo: string) => ({ Resultado: { Codigo } });

it.each([
  ['OK', 200, {}],
  ['OK', 200, legacy('OK')],
  ['NOT_FOUND', 404, envelope('NOT_FOUND')],
  ['NOT_FOUND', 200, legacy('NOT_FOUND')],
  ['RATE_LIMITED', 429, legacy('RATE_LIMITED')],
] as const)(
  'the recording accepts a response with the code and the status of its case: %s, %i %j',
  (code, status, body) => {
    expect(findDifference(code, status, body)).toBeNull();
  },
);

it.each([
  ['OK', 429, envelope('RATE_LIMITED'), 'the code is RATE_LIMITED (status 429), expected OK.'],
  ['OK', 201, {}, 'the status of OK is 201, expected 200.'],
  ['NOT_FOUND', 200, envelope('NOT_FOUND'), 'the status of NOT_FOUND is 200, expected 404.'],
  ['NOT_FOUND', 404, legacy('NOT_FOUND'), 'the status of NOT_FOUND is 404, expected 200.'],
] as const)('the recording rejects a response with another code or status: %s, %i %j', (code, status, body, text) => {
  expect(findDifference(code, status, body)).toBe(text);
});
