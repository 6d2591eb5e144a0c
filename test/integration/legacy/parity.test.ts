import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { toLegacyFault, toLegacyNames } from '../../../lib/legacy/names.ts';
import { ANSWER_NAMES, type FieldNames, LEGACY_NAMES } from '../../../lib/legacy/protocol.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { Answer } from '../../support/answers/answer.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { type LegacyCall, legacyCallsOf } from '../../support/legacy/legacy.ts';
import type { LegacyAnswer } from '../../support/legacy/legacy-answer.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');

const portal = usePortal();
useDate(START);

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 4 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const texts = fc.constantFrom('SRV-100', 'Córdoba Ñandú', 'FE-0007', '');
const date = fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-15T23:59:59.999Z', '2026-03-31', '2026-04-20');
const cents = fc.integer({ min: 0, max: 200_000 }).map((value) => value / 100);
const amount = fc.oneof(cents, fc.constantFrom(0, 0.1 + 0.2, 100, 999_999_999_999.99));
const knownId = fc.integer({ min: 1, max: 12 }).map(String);

const invoices = fc.uniqueArray(
  fc
    .record({
      invoiceId: knownId,
      invoiceDate: orNull(date),
      state: fc.constantFrom(...STATE_CODES),
      systemAmount: amount.map((value) => decimal(String(value))),
      accountName: orNull(texts),
      attachmentUrl: orNull(texts),
      declaration: orNull(
        fc.record({ notes: orNull(texts), amount: cents.map((value) => decimal(String(value))) }).map(aDeclaration),
      ),
      providerInvoice: fc.record({ number: orNull(texts), date: orNull(date) }),
    })
    .map((fields): Invoice => anInvoice(fields)),
  { selector: ({ invoiceId }) => invoiceId, minLength: 6, maxLength: 12 },
);
const tolerance = orNull(
  fc.record({
    mode: fc.constantFrom('PCT', 'ABS', 'AMB'),
    pct: fc.constantFrom('0', '5', '33.3333').map(decimal),
    abs: fc.constantFrom('0', '10', '1000').map(decimal),
    autoApprove: fc.boolean(),
  } as const),
);

// What is asked for is right more often than not; absent and malformed ids and amounts are among it.
const id = fc.oneof({ weight: 8, arbitrary: knownId }, { weight: 1, arbitrary: fc.constantFrom('404', '12a', '') });
const asked = fc.oneof({ weight: 8, arbitrary: amount }, { weight: 1, arbitrary: fc.constantFrom(-1, 1e12) });
const listFields = fc.record({
  startdate: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('2026-02-20', '2026-03-01') },
    fc.constantFrom('', 'x', '2026-04-30'),
  ),
  enddate: fc.constantFrom('2026-03-15', '2026-03-31', '2026-04-25T12:00:00Z'),
  status: maybe(fc.constantFrom(...STATE_CODES, 'NON')),
  search: maybe(fc.constantFrom('cordoba', 'srv', 'fe-0', '1', '', 'x'.repeat(121))),
  limit: maybe(fc.constantFrom(1, 3, 100, 101)),
  offset: maybe(fc.constantFrom(0, 1, 5, -1)),
});
const declarationFields = fc.record(
  {
    invoice_id: id,
    amount: asked,
    notes: maybe(texts),
    invoice_number: maybe(fc.constantFrom('FE-9', '', null, 'x'.repeat(61))),
    invoice_date: maybe(fc.constantFrom('2026-03-20', '2026-03-20T10:00:00Z', 'x')),
    tax_pct: maybe(fc.constantFrom(0, 19, null, 101)),
  },
  { requiredKeys: ['invoice_id', 'amount'] },
);
type DeclarationFields = typeof declarationFields extends fc.Arbitrary<infer Fields> ? Fields : never;

const toLegacyDeclaration = (fields: Partial<DeclarationFields>) => ({
  IdFactura: fields.invoice_id,
  Importe: fields.amount,
  Observaciones: fields.notes,
  NumeroFactura: fields.invoice_number,
  FechaFactura: fields.invoice_date,
  PorcentajeImpuesto: fields.tax_pct,
});

/** Two suppliers with the same invoices: what the one is asked for over one surface, the other is over the other. */
async function twins(
  records: readonly Invoice[],
  rule: typeof tolerance extends fc.Arbitrary<infer Rule> ? Rule : never,
) {
  const supplier = rule ? { tolerance: fromTolerance(rule) } : {};
  const [one, other] = await Promise.all([portal.newCaller({ supplier }), portal.newCaller({ supplier })]);
  for (const { account } of [one, other]) await seedInvoices(portal.engine, account.scope, records);
  return {
    one: { call: one.call, legacy: legacyCallsOf(portal.invoke, one.account) },
    other: { call: other.call, legacy: legacyCallsOf(portal.invoke, other.account) },
  };
}

const { WSListarFacturas, WSDeclararFactura, WSDeclararFacturas } = LEGACY_NAMES;
const PARAMETERS: FieldNames = {
  ...WSListarFacturas.request,
  ...WSDeclararFactura.request,
  ...WSDeclararFacturas.request,
};

/** The data of an answer, or the code and the invalid properties, in legacy names and without the words of errors. */
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

let counts: Record<`${boolean}`, number>;

function expectSameFacts(current: Answer, legacy: LegacyAnswer, ignored: readonly string[] = []): void {
  expect(legacyFacts(legacy, ignored)).toEqual(currentFacts(current, ignored));
  const rate = ({ headers }: Pick<Answer, 'headers'>) => headers['X-RateLimit-Limit'];
  expect(rate(legacy)).toBe(rate(current));
  counts[`${current.body.success}`]++;
}

const detailOf = (call: Invoke, invoiceId: string) =>
  call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${invoiceId}` });
const legacyDetailOf = (call: LegacyCall, IdFactura: string) => call('WSObtenerFactura', { IdFactura });

describe('the legacy surface and the current one', () => {
  beforeEach(() => void (counts = { true: 0, false: 0 }));

  it('answer a list, a detail and a check of an amount with the same facts [service/rule-4/data]', async () => {
    const requests = fc.tuple(
      fc.array(listFields, { minLength: 6, maxLength: 6 }),
      fc.array(fc.record({ invoice_id: id, amount: asked }), { minLength: 4, maxLength: 4 }),
    );
    const property = fc.asyncProperty(invoices, tolerance, requests, async (records, rule, [lists, checks]) => {
      const { call, legacy } = (await twins(records, rule)).one;
      for (const query of lists) {
        const fields = {
          FechaDesde: query.startdate,
          FechaHasta: query.enddate,
          Estado: query.status,
          Busqueda: query.search,
          Limite: query.limit,
          Desplazamiento: query.offset,
        };
        expectSameFacts(await call('list-invoices', { query }), await legacy('WSListarFacturas', fields));
      }
      for (const { invoice_id, amount: submitted } of checks) {
        expectSameFacts(await detailOf(call, invoice_id), await legacyDetailOf(legacy, invoice_id));
        const fields = { IdFactura: invoice_id, Importe: submitted };
        expectSameFacts(
          await call('validate-amount', { body: { invoice_id, amount: submitted } }),
          await legacy('WSValidarFactura', fields),
        );
      }
    });
    await fc.assert(property, { numRuns: 8 });
    expect([counts.true > 30, counts.false > 5]).toEqual([true, true]);
  });

  it('declare with the same outcome, and each sees what was declared by the other [service/rule-4/data]', async () => {
    const requests = fc.tuple(
      fc.array(declarationFields, { minLength: 4, maxLength: 4 }),
      fc.array(fc.array(declarationFields, { maxLength: 6 }), { minLength: 3, maxLength: 3 }),
    );
    const property = fc.asyncProperty(invoices, tolerance, requests, async (records, rule, [singles, batches]) => {
      const { one, other } = await twins(records, rule);
      for (const body of singles) {
        const current = await one.call('declare-invoice', { body });
        const legacy = await other.legacy('WSDeclararFactura', toLegacyDeclaration(body));
        expectSameFacts(current, legacy, ['IdDeclaracion']);
      }
      for (const declarations of batches) {
        const Declaraciones = declarations.map(toLegacyDeclaration);
        const current = await one.call('declare-batch', { body: { declarations } });
        const legacy = await other.legacy('WSDeclararFacturas', { Declaraciones });
        expectSameFacts(current, legacy, ['IdDeclaracion']);
      }
      for (const { invoiceId } of records) {
        const ofLegacy = await detailOf(other.call, invoiceId);
        expectSameFacts(ofLegacy, await legacyDetailOf(one.legacy, invoiceId), ['IdDeclaracion']);
      }
    });
    await fc.assert(property, { numRuns: 8 });
    expect([counts.true > 30, counts.false > 5]).toEqual([true, true]);
  });
});
