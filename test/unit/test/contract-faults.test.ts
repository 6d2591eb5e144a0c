import { describe, expect, it } from 'vitest';
import { contractFaults, type HttpAnswer } from '../../support/answers/contract-faults.ts';

const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-limit': '30',
  'x-ratelimit-remaining': '29',
  'x-ratelimit-reset': '1795243130',
};
const data = {
  invoice_id: '9001',
  system_amount: 1000,
  declared_amount: 1050,
  within_tolerance: true,
  difference: 50,
  difference_pct: 5,
  difference_abs: 50,
  action: 'AUTO_APPROVE',
  config_source: 'proveedor',
};
const checked: HttpAnswer = {
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/validate',
  status: 200,
  headers,
  body: JSON.stringify({ success: true, data, meta: {} }),
};
const withError = (status: number, code: string): HttpAnswer => ({
  ...checked,
  status,
  body: JSON.stringify({ success: false, error: { code, message: 'No.' } }),
});

const missing = withError(404, 'NOT_FOUND');
const withCode = (code: string) => JSON.stringify({ Resultado: { Exito: false, Codigo: code, Mensaje: 'No.' } });
const legacy: HttpAnswer = { ...checked, path: '/apidev/legacy/WSValidarFactura', body: withCode('UNAUTHORIZED') };
const unknownOperation: HttpAnswer = {
  ...legacy,
  status: 404,
  path: '/apidev/legacy/WSNada',
  body: withCode('NOT_FOUND'),
};

const withBody = (answer: HttpAnswer, body: unknown): HttpAnswer => ({ ...answer, body: JSON.stringify(body) });
const rateless = { 'x-ratelimit-limit': undefined, 'x-ratelimit-remaining': undefined, 'x-ratelimit-reset': undefined };

const withHeaders = (answer: HttpAnswer, changed: Record<string, string | undefined>): HttpAnswer => ({
  ...answer,
  headers: JSON.parse(JSON.stringify({ ...headers, ...changed })) as Record<string, string>,
});

describe('the check of an answer against the OpenAPI document', () => {
  it.each([
    ['a success', checked],
    ['an error', missing],
    [
      'a path with parameters and a query',
      { ...missing, method: 'GET', path: `/apidev/v1/supplier-portal/invoices/1?x=1` },
    ],
    ['a legacy error', legacy],
    ['the 404 of an unknown path', withHeaders({ ...missing, path: '/apidev/v1/nothing' }, rateless)],
    ['the 404 of an unknown method', withHeaders({ ...missing, method: 'PUT' }, rateless)],
    ['the 404 of an unknown legacy operation', withHeaders(unknownOperation, rateless)],
    ['a refusal of the gateway, without rate headers', withHeaders(withError(403, 'FORBIDDEN'), rateless)],
  ])('allows %s', (_, answer) => {
    expect(contractFaults(answer)).toEqual([]);
  });

  it.each([
    ['an undocumented status', { ...checked, status: 201 }],
    ['the body of another status', { ...checked, body: missing.body }],
    ['a code of another status', withBody(missing, { success: false, error: { code: 'FORBIDDEN', message: 'No.' } })],
    [
      'details that do not belong',
      withBody(missing, { success: false, error: { code: 'NOT_FOUND', message: '', details: [] } }),
    ],
    ['a missing field', withBody(checked, { success: true, data: { ...data, action: undefined }, meta: {} })],
    ['an undocumented field', withBody(checked, { success: true, data: { ...data, secret: 1 }, meta: {} })],
    ['a field of another type', withBody(checked, { success: true, data: { ...data, invoice_id: 9001 }, meta: {} })],
    [
      'a value that is not in the list',
      withBody(checked, { success: true, data: { ...data, action: 'NONE' }, meta: {} }),
    ],
    ['a meta that is not empty', withBody(checked, { success: true, data, meta: { total: 1 } })],
    ['a success of an unknown path', { ...checked, path: '/apidev/v1/nothing' }],
    ['a legacy body on the current interface', { ...missing, body: legacy.body }],
    ['a success without rate headers', withHeaders(checked, { 'x-ratelimit-limit': undefined })],
    ['a legacy code of another status', { ...legacy, body: withCode('SERVICE_UNAVAILABLE') }],
    ['a legacy code that does not exist there', { ...legacy, body: withCode('TOKEN_EXPIRED') }],
    ['a body that is no JSON', { ...checked, body: '<html>' }],
    [
      'a 404 of an unknown path without a request id',
      withHeaders({ ...missing, path: '/nothing' }, { ...rateless, 'x-request-id': undefined }),
    ],
    [
      'a 404 of an unknown path whose type may be guessed',
      withHeaders({ ...missing, path: '/nothing' }, { ...rateless, 'x-content-type-options': undefined }),
    ],
    ['the legacy form on an unknown path', withHeaders({ ...unknownOperation, path: '/apidev/v1/nothing' }, rateless)],
    ['a missing request id', withHeaders(checked, { 'x-request-id': undefined })],
    ['a request id that is no UUID', withHeaders(checked, { 'x-request-id': '7' })],
    ['an answer that may be stored', withHeaders(checked, { 'cache-control': 'public' })],
    ['an answer whose type may be guessed', withHeaders(checked, { 'x-content-type-options': undefined })],
    ['an answer without a year of HTTPS', withHeaders(checked, { 'strict-transport-security': 'max-age=0' })],
    ['a limit that is no number', withHeaders(checked, { 'x-ratelimit-limit': 'many' })],
    ['Retry-After on a success', withHeaders(checked, { 'retry-after': '1' })],
    ['another content type', withHeaders(checked, { 'content-type': 'text/html' })],
  ])('finds %s', (_, answer) => {
    expect(contractFaults(answer)).toHaveLength(1);
  });
});
