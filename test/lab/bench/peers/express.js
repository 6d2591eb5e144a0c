// A small program with Express that does the work of four endpoints with the calls of the service, and checks less.
import { Ajv } from 'ajv';
import express from 'express';
import jwt from 'jsonwebtoken';
import serverless from 'serverless-http';
import { countInvoices, countRequest, readAccess, readInvoice, readNewestInvoices, writeDeclaration } from './store.js';

const PATH = '/apidev/v1/supplier-portal/invoices';
const LIMITS = { read: 30, write: 10 };
const STATES = { PEN: 'Pendiente', APR: 'Aprobada', REV: 'En revisión' };

const listQuery = {
  type: 'object',
  required: ['startdate', 'enddate'],
  properties: {
    startdate: { type: 'string', minLength: 1 },
    enddate: { type: 'string', minLength: 1 },
    status: { type: 'string', enum: ['PEN', 'ENV', 'APR', 'REV', 'REC', 'AJU', 'LIQ'] },
    search: { type: 'string', maxLength: 120 },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    offset: { type: 'integer', minimum: 0 },
  },
};
const declaration = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: {
    invoice_id: { type: 'string', minLength: 1, maxLength: 64 },
    amount: { type: 'number', exclusiveMinimum: 0, maximum: 999_999_999_999.99 },
    notes: { type: 'string', maxLength: 2000 },
  },
};

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const authenticate = (group) => async (request, response, next) => {
  const claims = verifyToken(request.get('authorization'), request.get('tenant'));
  const [{ apikey, company, user, supplier, tenant }, remaining] = await Promise.all([
    readAccess(claims, request.get('x-api-key')),
    countRequest(claims.sub, group, LIMITS[group]),
  ]);
  if (apikey?.status !== 'ACTIVE' || new Date(apikey.valid_until) < new Date()) throw new HttpError(401, 'API key');
  if (company?.status !== 'ACTIVE') throw new HttpError(403, 'The company account is suspended.');
  if (!user?.active || !user.license_active) throw new HttpError(401, 'User is not active');
  const permission = `APICLI_PORTALPROVEEDOR_${group.toUpperCase()}`;
  if (!supplier || !user.permissions.includes(permission)) throw new HttpError(403, 'Forbidden');
  response.locals.caller = {
    user: user.user_id,
    supplier: supplier.supplier_id,
    tolerance: supplier.tolerance ?? tenant.tolerance,
  };
  response.set({
    'X-RateLimit-Limit': String(LIMITS[group]),
    'X-RateLimit-Remaining': String(remaining),
    'Cache-Control': 'no-store',
  });
  next();
};

function verifyToken(authorization = '', tenant) {
  try {
    const claims = jwt.verify(authorization.replace('Bearer ', ''), process.env.PUBLIC_KEY, {
      algorithms: ['ES256'],
      issuer: process.env.TOKEN_ISSUER,
      audience: process.env.TOKEN_AUDIENCE,
    });
    if (claims.tenant === tenant) return claims;
  } catch {
    // An invalid token gets the same response as a token of another tenant.
  }
  throw new HttpError(401, 'The access token is missing or invalid.');
}

const ajv = new Ajv({ allErrors: true, coerceTypes: true });
const validateInput = (schema, source) => {
  const check = ajv.compile(schema);
  return (request, response, next) => {
    response.locals.input = { ...request[source] };
    if (!check(response.locals.input)) throw new HttpError(400, ajv.errorsText(check.errors));
    next();
  };
};

const respondWith = (work) => async (request, response) => {
  const result = await work(response.locals.caller, response.locals.input ?? request.params.id);
  response.json({ success: true, meta: {}, ...result });
};

async function listInvoices({ supplier, tolerance }, { startdate, enddate, limit = 25 }) {
  const days = (Date.parse(enddate) - Date.parse(startdate)) / 86_400_000;
  if (!(days >= 0 && days <= 93)) throw new HttpError(400, 'The range of dates is not valid.');
  const [total, items] = await Promise.all([
    countInvoices(supplier, startdate, enddate),
    readNewestInvoices(supplier, startdate, enddate, limit),
  ]);
  return { data: { rows: items.map(toRow), tolerance }, meta: { total, limit, offset: 0 } };
}

async function getInvoice({ supplier, tolerance }, id) {
  const invoice = await findInvoice(supplier, id);
  return { data: { ...toRow(invoice), concepts: invoice.concepts, tolerance } };
}

async function validateAmount({ supplier, tolerance }, { invoice_id, amount }) {
  const { system_amount } = await findInvoice(supplier, invoice_id);
  const outcome = evaluate(system_amount, amount, tolerance);
  return { data: { invoice_id, system_amount, declared_amount: amount, ...outcome } };
}

async function declareInvoice({ user, supplier, tolerance }, { invoice_id, amount, notes = null }) {
  const invoice = await findInvoice(supplier, invoice_id);
  const outcome = evaluate(invoice.system_amount, amount, tolerance);
  const declared = {
    ...invoice,
    declaration_id: invoice.declaration_id ?? String(Date.now()),
    declared_amount: amount,
    declaration_revision: invoice.version,
    declared_notes: notes,
    declared_tax_pct: null,
    declared_by: user,
    declared_at: new Date().toISOString(),
    provider_invoice_number: null,
    provider_invoice_date: null,
    declared_outcome: outcome,
    state_code: outcome.action === 'REVIEW' ? 'REV' : 'APR',
  };
  await writeDeclaration(declared, { outcome, tolerance });
  return { data: { declaration_id: declared.declaration_id, declared_amount: amount, tolerance: outcome } };
}

async function findInvoice(supplier, id) {
  const invoice = await readInvoice(supplier, id);
  if (!invoice) throw new HttpError(404, 'The invoice does not exist.');
  return invoice;
}

function toRow(item) {
  const { declared_amount: declared = null, system_amount: system } = item;
  const difference = declared === null ? null : declared - system;
  return {
    invoice_id: item.sk,
    invoice_date: item.invoice_date,
    service_id: item.service_id,
    service_number: item.service_number,
    service_call_date: item.service_call_date,
    account_name: item.account_name,
    city: item.city,
    system_amount: system,
    declaration_id: item.declaration_id ?? null,
    declared_amount: declared,
    declared_notes: item.declared_notes ?? null,
    provider_invoice_number: item.provider_invoice_number ?? null,
    provider_invoice_date: item.provider_invoice_date ?? null,
    state_code: item.state_code,
    state_name: STATES[item.state_code],
    difference,
    difference_pct: difference === null ? null : (difference / system) * 100,
    attachment_url: item.attachment_url,
    attachment_filename: item.attachment_filename,
  };
}

function evaluate(system, amount, { tolerance_pct: pct, auto_approve: autoApprove }) {
  const difference = amount - system;
  const difference_pct = (difference / system) * 100;
  const within_tolerance = Math.abs(difference_pct) <= pct;
  const action = within_tolerance && autoApprove ? 'AUTO_APPROVE' : 'REVIEW';
  return { within_tolerance, difference, difference_pct, difference_abs: Math.abs(difference), action };
}

const app = express();
app.use(express.json());
app.get(PATH, authenticate('read'), validateInput(listQuery, 'query'), respondWith(listInvoices));
app.get(`${PATH}/:id`, authenticate('read'), respondWith(getInvoice));
app.post(`${PATH}/validate`, authenticate('read'), validateInput(declaration, 'body'), respondWith(validateAmount));
app.post(`${PATH}/declare`, authenticate('write'), validateInput(declaration, 'body'), respondWith(declareInvoice));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ success: false, error: { message: error.message } });
});

export const handler = serverless(app);
