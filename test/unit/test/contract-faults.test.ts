import { describe, expect, it } from 'vitest';
import { findContractErrors, type HttpResponse } from '../../support/answers/contract-faults.ts';

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
const valid: HttpResponse = {
  method: 'POST',
  path: `${invoices}/validate`,
  status: 200,
  headers,
  body: JSON.stringify({ success: true, data, meta: {} }),
};
const withBody = (answer: HttpResponse, body: unknown): HttpResponse => ({ ...answer, body: JSON.stringify(body) });
const withHeaders = (answer: HttpResponse, changed: Record<string, string | undefined>): HttpResponse => ({
  ...answer,
  headers: JSON.parse(JSON.stringify({ ...headers, ...changed })) as Record<string, string>,
});
const without = (answer: HttpResponse, ...names: string[]) =>
  withHeaders(answer, Object.fromEntries(names.map((name) => [name, undefined])));
const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const withData = (changed: object) => withBody(valid, { success: true, data: { ...data, ...changed }, meta: {} });
const withError = (status: number, error: object): HttpResponse =>
  withBody({ ...valid, status }, { success: false, error: { message: 'No.', ...error } });
const notFound = withError(404, { code: 'NOT_FOUND' });
const unknownPath: HttpResponse = { ...notFound, path: '/apidev/v1/nothing' };
const withCode = (Codigo: string) => JSON.stringify({ Resultado: { Exito: false, Codigo, Mensaje: 'No.' } });
const legacy: HttpResponse = { ...valid, path: '/apidev/legacy/WSValidarFactura', body: withCode('UNAUTHORIZED') };
const unknownOperation = { ...legacy, status: 404, path: '/apidev/legacy/WSNada', body: withCode('NOT_FOUND') };

describe('the check of a response against the OpenAPI document', () => {
  it.each<[string, HttpResponse]>([
    ['a success', valid],
    ['a legacy error', legacy],
    ['the 404 of an unknown path', without(unknownPath, ...rateHeaders)],
    ['the 404 of an unknown legacy operation', without(unknownOperation, ...rateHeaders)],
    ['a gateway error, without rate headers', without(withError(403, { code: 'FORBIDDEN' }), ...rateHeaders)],
  ])('the check accepts %s', (_, answer) => {
    expect(findContractErrors(answer)).toEqual([]);
  });

  it.each<[string, HttpResponse]>([
    ['an undocumented status', { ...valid, status: 201 }],
    ['an undocumented field', withData({ secret: 1 })],
    ['a success without rate headers', without(valid, 'x-ratelimit-limit')],
    ['a body that is not JSON', { ...valid, body: '<html>' }],
    ['a request id that is not a UUID', withHeaders(valid, { 'x-request-id': '7' })],
  ])('the check reports %s', (_, answer) => {
    expect(findContractErrors(answer)).toHaveLength(1);
  });
});
