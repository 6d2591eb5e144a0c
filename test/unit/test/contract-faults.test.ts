import { describe, expect, it } from 'vitest';
import { contractFaults, type HttpAnswer } from '../../support/answers/contract-faults.ts';

const invoices = '/apidev/v1/supplier-portal/invoices';
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
  ...{ invoice_id: '9001', system_amount: 1000, declared_amount: 1050, within_tolerance: true, difference: 50 },
  ...{ difference_pct: 5, difference_abs: 50, action: 'AUTO_APPROVE', config_source: 'proveedor' },
};
const checked: HttpAnswer = {
  method: 'POST',
  path: `${invoices}/validate`,
  status: 200,
  headers,
  body: JSON.stringify({ success: true, data, meta: {} }),
};
const withBody = (answer: HttpAnswer, body: unknown): HttpAnswer => ({ ...answer, body: JSON.stringify(body) });
const withHeaders = (answer: HttpAnswer, changed: Record<string, string | undefined>): HttpAnswer => ({
  ...answer,
  headers: JSON.parse(JSON.stringify({ ...headers, ...changed })) as Record<string, string>,
});
const without = (answer: HttpAnswer, ...names: string[]) =>
  withHeaders(answer, Object.fromEntries(names.map((name) => [name, undefined])));
const rate = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const withData = (changed: object) => withBody(checked, { success: true, data: { ...data, ...changed }, meta: {} });
const withError = (status: number, error: object): HttpAnswer =>
  withBody({ ...checked, status }, { success: false, error: { message: 'No.', ...error } });
const missing = withError(404, { code: 'NOT_FOUND' });
const unknownPath: HttpAnswer = { ...missing, path: '/apidev/v1/nothing' };
const withCode = (Codigo: string) => JSON.stringify({ Resultado: { Exito: false, Codigo, Mensaje: 'No.' } });
const legacy: HttpAnswer = { ...checked, path: '/apidev/legacy/WSValidarFactura', body: withCode('UNAUTHORIZED') };
const unknownOperation = { ...legacy, status: 404, path: '/apidev/legacy/WSNada', body: withCode('NOT_FOUND') };

describe('the check of an answer against the OpenAPI document', () => {
  it.each<[string, HttpAnswer]>([
    ['a success', checked],
    ['an error', missing],
    ['a path with parameters and a query', { ...missing, method: 'GET', path: `${invoices}/1?x=1` }],
    ['a legacy error', legacy],
    ['the 404 of an unknown path', without(unknownPath, ...rate)],
    ['the 404 of an unknown method', without({ ...missing, method: 'PUT' }, ...rate)],
    ['the 404 of an unknown legacy operation', without(unknownOperation, ...rate)],
    ['a refusal of the gateway, without rate headers', without(withError(403, { code: 'FORBIDDEN' }), ...rate)],
  ])('allows %s', (_, answer) => {
    expect(contractFaults(answer)).toEqual([]);
  });

  it.each<[string, HttpAnswer]>([
    ['an undocumented status', { ...checked, status: 201 }],
    ['the body of another status', { ...checked, body: missing.body }],
    ['a missing field', withData({ action: undefined })],
    ['an undocumented field', withData({ secret: 1 })],
    ['a field of another type', withData({ invoice_id: 9001 })],
    ['a success of an unknown path', { ...checked, path: '/apidev/v1/nothing' }],
    ['a legacy body on the current interface', { ...missing, body: legacy.body }],
    ['a success without rate headers', without(checked, 'x-ratelimit-limit')],
    ['a legacy code of another status', { ...legacy, body: withCode('SERVICE_UNAVAILABLE') }],
    ['a body that is no JSON', { ...checked, body: '<html>' }],
    ['a 404 of an unknown path without a request id', without(unknownPath, ...rate, 'x-request-id')],
    ['the legacy form on an unknown path', without({ ...unknownOperation, path: '/apidev/v1/nothing' }, ...rate)],
    ['a request id that is no UUID', withHeaders(checked, { 'x-request-id': '7' })],
    ['a limit that is no number', withHeaders(checked, { 'x-ratelimit-limit': 'many' })],
    ['Retry-After on a success', withHeaders(checked, { 'retry-after': '1' })],
    ['another content type', withHeaders(checked, { 'content-type': 'text/html' })],
  ])('finds %s', (_, answer) => {
    expect(contractFaults(answer)).toHaveLength(1);
  });
});
