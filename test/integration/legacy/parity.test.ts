import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import {
  ANSWER_NAMES,
  type FieldNames,
  LEGACY_NAMES,
  toLegacyFault,
  toLegacyNames,
} from '../../../lib/legacy/protocol.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { LegacyAnswer } from '../../support/legacy/legacy-answer.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

const tolerance = fromTolerance({ mode: 'AMB', pct: decimal('33.3333'), abs: decimal('1000'), autoApprove: true });
const declared = {
  declaration: aDeclaration({ amount: decimal('1033.33'), notes: 'Peaje' }),
  providerInvoice: { number: 'FE-0007', date: '2026-03-20' },
};
const invoices = [
  anInvoice({ invoiceId: '1', state: 'ENV', systemAmount: decimal('1000.10'), ...declared }),
  anInvoice({ invoiceId: '2', invoiceDate: '2026-02-28T23:59:59Z', systemAmount: decimal('0'), concepts: [] }),
  anInvoice({ invoiceId: '3', invoiceDate: null, city: null, accountName: null, attachmentUrl: null }),
  anInvoice({ invoiceId: '4', state: 'LIQ' }),
  anInvoice({ invoiceId: '5', state: 'REC', ...declared }),
];

/** Creates a supplier with the invoices, and its calls on both surfaces. */
async function newSupplier() {
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  await seedInvoices(portal.engine, account.scope, invoices);
  return { call, legacy: legacyCallsOf(portal.invoke, account) };
}

const range = { startdate: '2026-02-20', enddate: '2026-03-31' };
const lists: readonly Readonly<Record<string, string | number>>[] = [
  range,
  { ...range, status: 'PEN', search: 'cordoba', limit: 1, offset: 1 },
  { ...range, startdate: '', status: 'NON', search: 'x'.repeat(121), limit: 101, offset: -1 },
  { ...range, startdate: '2026-04-01' },
];
const declarations: readonly Readonly<Record<string, unknown>>[] = [
  { invoice_id: '1', amount: 0.1 + 0.2, notes: '', invoice_number: 'FE-9', invoice_date: '2026-03-21', tax_pct: 19 },
  { invoice_id: '2', amount: 999_999_999_999.99, invoice_date: '2026-03-20T10:00:00Z' },
  { invoice_id: '3', amount: 1000, notes: 'Peaje', invoice_number: '', tax_pct: null },
  { invoice_id: '4', amount: 1000 },
  { invoice_id: '5', amount: 1000, notes: 'Córdoba Ñandú' },
  { invoice_id: '404', amount: 1 },
  { invoice_id: '12a', amount: -1, invoice_number: 'x'.repeat(61), invoice_date: 'x', tax_pct: 101 },
];

const toLegacyDeclaration = (fields: Readonly<Record<string, unknown>>) => ({
  IdFactura: fields['invoice_id'],
  Importe: fields['amount'],
  Observaciones: fields['notes'],
  NumeroFactura: fields['invoice_number'],
  FechaFactura: fields['invoice_date'],
  PorcentajeImpuesto: fields['tax_pct'],
});

const { WSListarFacturas, WSDeclararFactura, WSDeclararFacturas } = LEGACY_NAMES;
const PARAMETERS: FieldNames = {
  ...WSListarFacturas.request,
  ...WSDeclararFactura.request,
  ...WSDeclararFacturas.request,
};

/** Returns the data of a response, or its code and invalid properties, in legacy names and without messages. */
function currentFacts({ body: { error, data, meta } }: Answer, ignored: readonly string[]): unknown {
  if (!error) return without(toLegacyNames({ ...data, ...meta }, ANSWER_NAMES), ignored);
  const properties = (error.details ?? []).map(({ property }) => (property === 'id' ? 'invoice_id' : property));
  const legacyNames = properties.map((property) => toLegacyFault({ property, constraints: {} }, PARAMETERS).property);
  return { code: error.code, properties: legacyNames.toSorted() };
}

function legacyFacts({ body: { Resultado, ...data } }: LegacyAnswer, ignored: readonly string[]): unknown {
  if (Resultado.Exito) return without(data, ignored);
  const isPath = (word: string) => word.split(/\[\d+\]\.?/).every((name) => name === '' || name in PARAMETERS);
  const words = Resultado.Codigo === 'VALIDATION_ERROR' ? Resultado.Mensaje.split(/:? /) : [];
  return { code: Resultado.Codigo, properties: [...new Set(words.filter(isPath))].toSorted() };
}

function without(value: unknown, ignored: readonly string[]): unknown {
  const isTold = (name: string) => name !== 'Mensaje' && !ignored.includes(name);
  return JSON.parse(JSON.stringify(value, (name, inner: unknown) => (isTold(name) ? inner : undefined)));
}

function expectSameFacts(current: Answer, legacy: LegacyAnswer, ignored: readonly string[] = []): void {
  expect(legacyFacts(legacy, ignored)).toEqual(currentFacts(current, ignored));
  const limitOf = ({ headers }: Pick<Answer, 'headers'>) => headers['X-RateLimit-Limit'];
  expect(limitOf(legacy)).toBe(limitOf(current));
}

const pathOf = (invoiceId: unknown) => `/apidev/v1/supplier-portal/invoices/${String(invoiceId)}`;

describe('the legacy surface and the current surface', () => {
  it('both surfaces return the same list, detail and check of an amount [service/rule-4/data]', async () => {
    const { call, legacy } = await newSupplier();
    for (const query of lists) {
      const fields = {
        FechaDesde: query['startdate'],
        FechaHasta: query['enddate'],
        Estado: query['status'],
        Busqueda: query['search'],
        Limite: query['limit'],
        Desplazamiento: query['offset'],
      };
      expectSameFacts(await call('list-invoices', { query }), await legacy('WSListarFacturas', fields));
    }
    for (const { invoice_id: id } of declarations.slice(0, 3)) {
      expectSameFacts(
        await call('get-invoice', { path: pathOf(id) }),
        await legacy('WSObtenerFactura', { IdFactura: id }),
      );
    }
    for (const { invoice_id, amount } of declarations) {
      expectSameFacts(
        await call('validate-amount', { body: { invoice_id, amount } }),
        await legacy('WSValidarFactura', { IdFactura: invoice_id, Importe: amount }),
      );
    }
  });

  it('both surfaces declare with the same result, and each returns the declarations of the other [service/rule-4/data]', async () => {
    const [one, other] = [await newSupplier(), await newSupplier()];
    const ignored = ['IdDeclaracion'];
    for (const body of declarations) {
      const current = await one.call('declare-invoice', { body });
      expectSameFacts(current, await other.legacy('WSDeclararFactura', toLegacyDeclaration(body)), ignored);
    }
    const changed = declarations.map((fields) => ({ ...fields, amount: 1 + Number(fields['amount']) / 2 }));
    for (const batch of [changed, []]) {
      const current = await one.call('declare-batch', { body: { declarations: batch } });
      const Declaraciones = batch.map(toLegacyDeclaration);
      expectSameFacts(current, await other.legacy('WSDeclararFacturas', { Declaraciones }), ignored);
    }
    for (const { invoiceId: IdFactura } of invoices) {
      const ofLegacy = await other.call('get-invoice', { path: pathOf(IdFactura) });
      expectSameFacts(ofLegacy, await one.legacy('WSObtenerFactura', { IdFactura }), ignored);
    }
  });
});
