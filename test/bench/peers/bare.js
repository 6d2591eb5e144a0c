// Not a peer, but the calls alone: no token, no validation, no answer that is made of anything.
import { countRequest, readAccess, readCounters, readInvoice, readRows, writeDeclaration } from './store.js';

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
    await writeDeclaration({ ...invoice, declared_amount: amount, state_code: 'APR' }, '2026-01');
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
  const input = { ...queryStringParameters, ...pathParameters, ...JSON.parse(body ?? '{}') };
  await kinds[`${httpMethod} ${resource}`]({ supplier: claims.supplier_id }, input);
  return { statusCode: 200, headers: {}, body: '' };
};
