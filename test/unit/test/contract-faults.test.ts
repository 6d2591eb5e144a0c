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
const notFound: HttpResponse = {
  ...valid,
  method: 'GET',
  path: `${invoices}/9001`,
  status: 404,
  body: JSON.stringify({ success: false, error: { code: 'NOT_FOUND', message: 'Not found.' } }),
};
const ignoredFields = { 'x-ignored-fields': 'invoce_date' };
const { 'x-ratelimit-limit': _, ...withoutLimit } = headers;

describe('the check of a response against the OpenAPI document', () => {
  it('the check accepts a documented response', () => {
    expect(findContractErrors(valid)).toEqual([]);
  });

  it('the check accepts ignored fields in the response to a body', () => {
    expect(findContractErrors({ ...valid, headers: { ...headers, ...ignoredFields } })).toEqual([]);
  });

  it.each<[string, HttpResponse]>([
    ['an undocumented status', { ...valid, status: 201 }],
    [
      'an undocumented field',
      { ...valid, body: JSON.stringify({ success: true, data: { ...data, secret: 1 }, meta: {} }) },
    ],
    ['a success without rate headers', { ...valid, headers: withoutLimit }],
    ['ignored fields in the response to a query', { ...notFound, headers: { ...headers, ...ignoredFields } }],
    ['a body that is not JSON', { ...valid, body: '<html>' }],
    ['a request id that is not a UUID', { ...valid, headers: { ...headers, 'x-request-id': '7' } }],
  ])('the check reports %s', (_what, answer) => {
    expect(findContractErrors(answer)).toHaveLength(1);
  });
});
