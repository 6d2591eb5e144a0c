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
  return {
    user: user.user_id,
    supplier: supplier.supplier_id,
    tolerance: supplier.tolerance ?? tenant.tolerance,
    rate,
  };
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
export async function declare({ user, supplier, tolerance }, { invoice_id, amount, notes = null }) {
  const invoice = await invoiceOf(supplier, invoice_id);
  const outcome = judge(invoice.system_amount, amount, tolerance);
  const declared = {
    ...invoice,
    declaration_id: invoice.declaration_id ?? String(Date.now()),
    declared_amount: amount,
    declaration_revision: invoice.version,
    declared_notes: notes,
    declared_tax_pct: null,
    provider_invoice_number: null,
    provider_invoice_date: null,
    declared_outcome: outcome,
    state_code: outcome.action === 'REVIEW' ? 'REV' : 'APR',
  };
  await writeDeclaration(declared, '2026-01', { outcome, tolerance, declared_by: user });
  return { data: { declaration_id: declared.declaration_id, declared_amount: amount, tolerance: outcome } };
}

async function invoiceOf(supplier, id) {
  const invoice = await readInvoice(supplier, id);
  if (!invoice) throw new HttpError(404, 'The invoice does not exist.');
  return invoice;
}

const STATES = { PEN: 'Pendiente', APR: 'Aprobada', REV: 'En revisión' };

function rowOf(item) {
  const { declared_amount: declared = null, system_amount: system } = item;
  const difference = declared === null ? null : declared - system;
  return {
    invoice_id: item.invoice_id,
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

function judge(system, amount, { tolerance_pct: pct, auto_approve: approves }) {
  const difference = amount - system;
  const difference_pct = (difference / system) * 100;
  const within_tolerance = Math.abs(difference_pct) <= pct;
  const action = within_tolerance && approves ? 'AUTO_APPROVE' : 'REVIEW';
  return { within_tolerance, difference, difference_pct, difference_abs: Math.abs(difference), action };
}
