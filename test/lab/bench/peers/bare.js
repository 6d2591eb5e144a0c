// Not a peer, but the calls alone: no token, no validation, no answer that is made of anything.
import { countRequest, readAccess, readCounters, readInvoice, readRows, writeDeclaration } from './store.js';

const OUTCOME = { within_tolerance: true, difference: 1, difference_pct: 0.1, action: 'AUTO_APPROVE' };
const TOLERANCE = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };
// As many attributes as a peer writes.
const DECLARED = {
  declaration_id: '1795243070161803765',
  declaration_revision: 1,
  declared_notes: null,
  declared_tax_pct: null,
  provider_invoice_number: null,
  provider_invoice_date: null,
  declared_outcome: OUTCOME,
};

const kinds = {
  'GET /apidev/v1/supplier-portal/invoices': async ({ supplier }, { startdate, enddate, limit }) => {
    await readCounters(supplier, startdate, enddate);
    await readRows(supplier, startdate, enddate, Number(limit));
  },
  'GET /apidev/v1/supplier-portal/invoices/{id}': ({ supplier }, { id }) => readInvoice(supplier, id),
  'POST /apidev/v1/supplier-portal/invoices/validate': ({ supplier }, { invoice_id }) =>
    readInvoice(supplier, invoice_id),
  'POST /apidev/v1/supplier-portal/invoices/declare': async ({ supplier }, { invoice_id, amount }) => {
    const invoice = await readInvoice(supplier, invoice_id);
    const declared = { ...invoice, ...DECLARED, declared_amount: amount, state_code: 'APR' };
    await writeDeclaration(declared, '2026-01', { outcome: OUTCOME, tolerance: TOLERANCE, declared_by: '1' });
  },
};

export const handler = async ({ httpMethod, resource, queryStringParameters, pathParameters, body, headers }) => {
  const [, payload = ''] = headers.authorization.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const group = resource.endsWith('declare') ? 'write' : 'read';
  await Promise.all([
    readAccess(claims, headers['x-api-key']),
    countRequest(claims.sub, group, group === 'read' ? 30 : 10),
  ]);
  const input = { ...queryStringParameters, ...pathParameters, ...(body && JSON.parse(Buffer.from(body, 'base64'))) };
  await kinds[`${httpMethod} ${resource}`]({ supplier: claims.supplier_id }, input);
  return { statusCode: 200, headers: {}, body: '' };
};
