import { beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { buildDeclaration, buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

type Fields = Readonly<Record<string, unknown>>;

const portal = usePortal();
const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const completeInvoice = buildInvoice({
  invoiceId: '1001',
  systemAmount: decimal('1000.10'),
  state: 'ENV',
  declaration: buildDeclaration({ declarationId: '9001', amount: decimal('1033.33'), notes: 'Peaje' }),
  providerInvoice: { number: 'FE-1', date: '2026-03-20' },
});
const minimalInvoice = buildInvoice({
  invoiceId: '1002',
  invoiceDate: null,
  serviceNumber: null,
  serviceCallDate: null,
  accountName: null,
  city: null,
  systemAmount: decimal('0'),
  attachmentUrl: null,
  attachmentFilename: null,
  concepts: [],
});

/** The responses to a caller with both invoices: the list, and the details. */
let list: Fields;
let details: Fields[];

beforeAll(async () => {
  const tolerance = { mode: 'AMB', pct: decimal('2.5'), abs: decimal('100'), autoApprove: true } as const;
  const { account, call } = await portal.newCaller({ supplier: { tolerance: fromTolerance(tolerance) } });
  await seedInvoices(portal.engine, account.scope, [completeInvoice, minimalInvoice]);
  list = await readList(call);
  details = [await readDetail(call, '1001'), await readDetail(call, '1002')];
});

const readList = async (call: Invoke): Promise<Fields> => (await call('list-invoices', { query: march })).body.data;
const readDetail = async (call: Invoke, id: string): Promise<Fields> =>
  (await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${id}` })).body.data;

describe('a row of the list and the detail', () => {
  it.each([
    ['invoice_id', '1001', '1002'],
    ['invoice_date', '2026-03-15T10:30:00.000Z', null],
    ['service_id', '7001', '7001'],
    ['service_number', 'SRV-7001', null],
    ['service_call_date', '2026-03-14T08:00:00.000Z', null],
    ['account_name', 'Aseguradora Córdoba', null],
    ['city', 'Bogotá', null],
    ['system_amount', 1000.1, 0],
    ['declaration_id', '9001', null],
    ['declared_amount', 1033.33, null],
    ['declared_notes', 'Peaje', null],
    ['provider_invoice_number', 'FE-1', null],
    ['provider_invoice_date', '2026-03-20', null],
    ['state_code', 'ENV', 'PEN'],
    ['state_name', 'Enviada', 'Pendiente'],
    ['difference', 33.23, null],
    ['difference_pct', 3.3227, null],
    ['attachment_url', 'https://files.example/invoice.pdf', null],
    ['attachment_filename', 'invoice.pdf', null],
  ] as const)('a row of the list and the detail have %s: %j, and %j in a minimal invoice', (field, ...values) => {
    proves(`invoice-row/${field}`);
    expect((list['rows'] as Fields[]).map((row) => row[field])).toEqual(values);
    expect(details.map((detail) => detail[field])).toEqual(values);
  });
});

describe('a concept of the detail', () => {
  it.each([
    ['concept_id', '31'],
    ['description', 'Grúa'],
    ['unit_amount', 500],
    ['quantity', 2],
    ['tax_pct', 19],
    ['total', 1190],
  ] as const)('a concept of the detail has %s: %j, and a minimal invoice has no concepts', (field, value) => {
    proves(`concept/${field}`);
    const concepts = details.map((detail) => (detail['concepts'] as Fields[]).map((concept) => concept[field]));
    expect(concepts).toEqual([[value], []]);
  });
});

describe('the tolerance of list and detail', () => {
  it.each([
    ['mode', 'AMB', null],
    ['tolerance_pct', 2.5, null],
    ['tolerance_abs', 100, null],
    ['auto_approve', true, false],
    ['source', 'proveedor', 'ninguna'],
  ] as const)(
    'the tolerance of list and detail has %s: %j, and %j if none is configured',
    async (field, value, valueOfNone) => {
      proves(`tolerance/${field}`);
      const none = await readList((await portal.newCaller()).call);
      const tolerances = [list, ...details, none].map(({ tolerance }) => (tolerance as Fields)[field]);
      expect(tolerances).toEqual([value, value, value, valueOfNone]);
    },
  );

  it('a tolerance of the tenant has the source global, also in outcomes, which can be within it without an approval', async () => {
    proves('tolerance/source', 'tolerance-outcome/config_source', 'tolerance-outcome/within_tolerance');
    const tolerance = fromTolerance({ mode: 'PCT', pct: decimal('5'), abs: null, autoApprove: false });
    const { account, call } = await portal.newCaller({ tenant: { tolerance } });
    await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '1001' })]);
    const shown = [await readList(call), await readDetail(call, '1001')];
    expect(shown).toMatchObject([{ tolerance: { source: 'global' } }, { tolerance: { source: 'global' } }]);
    const body = { invoice_id: '1001', amount: 1050 };
    const check = await call('validate-amount', { body });
    const declaration = await call('declare-invoice', { body });
    const outcome = { within_tolerance: true, action: 'REVIEW', config_source: 'global' };
    expect([check.body.data, declaration.body.data.tolerance]).toMatchObject([outcome, outcome]);
  });
});
