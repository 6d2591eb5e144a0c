// What the four routes do, once a caller and an input are known: the same for every peer.
import { countRequest, readAccess, readCounters, readInvoice, readRows, writeDeclaration } from './store.js';

/** An error with its status, as each framework's own error handler answers it. */
export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
    this.statusCode = status;
    this.expose = true;
  }
}

const LIMITS = { read: 30, write: 10 };

/** Whom a request speaks for, with the rate that its headers tell; throws what the caller lacks. */
export async function admit(claims, apiKey, group) {
  const [access, rate] = await Promise.all([
    readAccess(claims, apiKey),
    countRequest(claims.sub, group, LIMITS[group]),
  ]);
  const { apikey, company, user, supplier, tenant } = access;
  if (apikey?.status !== 'ACTIVE' || new Date(apikey.valid_until) < new Date()) throw new HttpError(401, 'API key');
  if (company?.status !== 'ACTIVE') throw new HttpError(403, 'The company account is suspended.');
  if (!user?.active || !user.license_active) throw new HttpError(401, 'User is not active');
  const permission = `APICLI_PORTALPROVEEDOR_${group.toUpperCase()}`;
  if (!supplier || !user.permissions.includes(permission)) throw new HttpError(403, 'Forbidden');
  return { supplier: supplier.supplier_id, tolerance: supplier.tolerance ?? tenant.tolerance, rate };
}

/** The headers of an answer. */
export function headersOf({ limit, remaining }) {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'Cache-Control': 'no-store',
  };
}

/** A page of a list. */
export async function list({ supplier, tolerance }, { startdate, enddate, limit = 25 }) {
  const days = (Date.parse(enddate) - Date.parse(startdate)) / 86_400_000;
  if (!(days >= 0 && days <= 93)) throw new HttpError(400, 'The range of dates is not valid.');
  const counters = await readCounters(supplier, startdate, enddate);
  const items = await readRows(supplier, startdate, enddate, limit);
  const total = counters
    .flatMap((item) => Object.entries(item).filter(([name]) => /^\d\d[A-Z]{3}$/.test(name)))
    .reduce((sum, [, count]) => sum + count, 0);
  return { data: { rows: items.map(rowOf), tolerance }, meta: { total, limit, offset: 0 } };
}

/** An invoice with its concepts. */
export async function detail({ supplier, tolerance }, id) {
  const invoice = await invoiceOf(supplier, id);
  return { data: { ...rowOf(invoice), concepts: invoice.concepts, tolerance }, meta: {} };
}

/** What a declaration would lead to. */
export async function validate({ supplier, tolerance }, { invoice_id, amount }) {
  const { system_amount } = await invoiceOf(supplier, invoice_id);
  return { data: { invoice_id, system_amount, declared_amount: amount, ...judge(system_amount, amount, tolerance) } };
}

/** Declares an amount. */
export async function declare({ supplier, tolerance }, { invoice_id, amount, notes = null }) {
  const invoice = await invoiceOf(supplier, invoice_id);
  const outcome = judge(invoice.system_amount, amount, tolerance);
  const declared = {
    ...invoice,
    declaration_id: invoice.declaration_id ?? String(Date.now()),
    declared_amount: amount,
    declared_notes: notes,
    state_code: outcome.action === 'REVIEW' ? 'REV' : 'APR',
  };
  await writeDeclaration(declared, '2026-01');
  return { data: { declaration_id: declared.declaration_id, declared_amount: amount, tolerance: outcome } };
}

async function invoiceOf(supplier, id) {
  const invoice = await readInvoice(supplier, id);
  if (!invoice) throw new HttpError(404, 'The invoice does not exist.');
  return invoice;
}

function rowOf({ pk: _pk, sk: _sk, version: _version, concepts: _concepts, ...row }) {
  const { declared_amount: declared, system_amount: system } = row;
  const difference = typeof declared === 'number' ? declared - system : null;
  return { ...row, difference, difference_pct: difference === null ? null : (difference / system) * 100 };
}

function judge(system, amount, { tolerance_pct: pct, auto_approve: approves }) {
  const difference = amount - system;
  const difference_pct = (difference / system) * 100;
  const within_tolerance = Math.abs(difference_pct) <= pct;
  const action = within_tolerance && approves ? 'AUTO_APPROVE' : 'REVIEW';
  return { within_tolerance, difference, difference_pct, difference_abs: Math.abs(difference), action };
}
