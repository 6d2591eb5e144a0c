import { beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { Answer } from '../../support/answers/answer.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

type Fields = Readonly<Record<string, unknown>>;

const portal = usePortal();
let call: Invoke;
let list: Answer;
let detail: Answer;
let bareDetail: Answer;
beforeAll(async () => {
  const tolerance = { mode: 'AMB', pct: decimal('2.5'), abs: decimal('100'), autoApprove: true } as const;
  const caller = await portal.newCaller({ supplier: { tolerance: fromTolerance(tolerance) } });
  ({ call } = caller);
  await seedInvoices(portal.engine, caller.account.scope, [whole, bare]);
  list = await call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } });
  detail = await detailOf('1001');
  bareDetail = await detailOf('1002');
});

const whole = anInvoice({
  invoiceId: '1001',
  invoiceDate: '2026-03-15T10:30:00.000Z',
  serviceId: '7001',
  serviceNumber: 'SRV-7001',
  serviceCallDate: '2026-03-14T08:00:00.000Z',
  accountName: 'Aseguradora Córdoba',
  city: 'Bogotá',
  systemAmount: decimal('1000.10'),
  state: 'ENV',
  declaration: aDeclaration({
    declarationId: '9001',
    amount: decimal('1033.33'),
    notes: 'Peaje',
  }),
  providerInvoice: { number: 'FE-1', date: '2026-03-20' },
  attachmentUrl: 'https://files.example/invoice.pdf',
  attachmentFilename: 'invoice.pdf',
  concepts: [
    {
      conceptId: '31',
      description: 'Grúa',
      unitAmount: decimal('500'),
      quantity: decimal('2'),
      taxPct: decimal('19'),
      total: decimal('1190'),
    },
  ],
});
const bare = anInvoice({
  invoiceId: '1002',
  invoiceDate: null,
  serviceId: '7002',
  serviceNumber: null,
  serviceCallDate: null,
  accountName: null,
  city: null,
  systemAmount: decimal('0'),
  state: 'PEN',
  attachmentUrl: null,
  attachmentFilename: null,
  concepts: [],
});

const detailOf = (id: string) => call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${id}` });
const rowOf = (id: string): Fields => list.body.data.rows.find((row: Fields) => row['invoice_id'] === id);

describe('a row of the list and the detail', () => {
  it.each([
    ['invoice_id', '1001', '1002'],
    ['invoice_date', '2026-03-15T10:30:00.000Z', null],
    ['service_id', '7001', '7002'],
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
  ])('have %s: %j, and of a bare invoice %j [invoice-row/$0]', (field, value, valueOfBare) => {
    expect([rowOf('1001')[field], detail.body.data[field]]).toEqual([value, value]);
    expect([rowOf('1002')[field], bareDetail.body.data[field]]).toEqual([valueOfBare, valueOfBare]);
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
  ])('has %s: %j [concept/$0]', (field, value) => {
    expect(detail.body.data.concepts.map((concept: Fields) => concept[field])).toEqual([value]);
  });
});

describe('the tolerance of list and detail', () => {
  it.each([
    ['mode', 'AMB'],
    ['tolerance_pct', 2.5],
    ['tolerance_abs', 100],
    ['auto_approve', true],
    ['source', 'proveedor'],
  ])('has %s: %j [tolerance/$0]', (field, value) => {
    expect([list, detail].map(({ body }) => body.data.tolerance[field])).toEqual([value, value]);
  });

  it.each([
    ['mode', null],
    ['tolerance_pct', null],
    ['tolerance_abs', null],
    ['auto_approve', false],
    ['source', 'ninguna'],
  ])('has %s: %j where none is configured [tolerance/$0]', async (field, value) => {
    const other = await portal.newCaller();
    const { body } = await other.call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } });
    expect(body.data.tolerance[field]).toBe(value);
  });
});

describe('a tolerance of the tenant, without automatic approval', () => {
  it('is global in list, detail and outcomes, which tell what is within it from what is approved [tolerance/source] [tolerance-outcome/config_source] [tolerance-outcome/within_tolerance]', async () => {
    const tolerance = fromTolerance({ mode: 'PCT', pct: decimal('5'), abs: null, autoApprove: false });
    const { account, call: asOther } = await portal.newCaller({ tenant: { tolerance } });
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1001', systemAmount: decimal('1000') })]);
    const answers = [
      await asOther('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } }),
      await asOther('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/1001' }),
    ];
    expect(answers.map(({ body }) => body.data.tolerance.source)).toEqual(['global', 'global']);
    const body = { invoice_id: '1001', amount: 1050 };
    const checked = await asOther('validate-amount', { body });
    const declared = await asOther('declare-invoice', { body });
    const outcome = { within_tolerance: true, action: 'REVIEW', config_source: 'global' };
    expect([checked.body.data, declared.body.data.tolerance]).toMatchObject([outcome, outcome]);
  });
});

/** Declares 1025.01 of 1000 under 2.5 % and 100: by itself, and as the only item of a batch. */
async function declareBothWays(): Promise<Fields[]> {
  const tolerance = { mode: 'AMB', pct: decimal('2.5'), abs: decimal('100'), autoApprove: true } as const;
  const caller = await portal.newCaller({ supplier: { tolerance: fromTolerance(tolerance) } });
  const declaration = aDeclaration({ declarationId: '9001' });
  await seedInvoices(portal.engine, caller.account.scope, [
    anInvoice({ invoiceId: '1001', systemAmount: decimal('1000'), declaration }),
  ]);
  const body = { invoice_id: '1001', amount: 1025.01 };
  const single = await caller.call('declare-invoice', { body });
  const batch = await caller.call('declare-batch', { body: { declarations: [body] } });
  return [single.body.data, batch.body.data.results[0]];
}

describe('the result of a declaration, and of an item of a batch', () => {
  it.each([
    ['declaration_id', '9001'],
    ['declared_amount', 1025.01],
    ['state_id', 4],
    ['tolerance', expect.objectContaining({ within_tolerance: false })],
  ])('has %s [declaration-result/$0]', async (field, value) => {
    expect((await declareBothWays()).map((result) => result[field])).toEqual([value, value]);
  });
});

describe('the tolerance outcome of declare, batch and validate', () => {
  it.each([
    ['within_tolerance', false],
    ['difference', 25.01],
    ['difference_pct', 2.501],
    ['difference_abs', 25.01],
    ['action', 'REVIEW'],
    ['config_source', 'proveedor'],
  ])('has %s: %j [tolerance-outcome/$0]', async (field, value) => {
    const declared = (await declareBothWays()).map(({ tolerance }) => tolerance as Fields);
    expect(declared.map((outcome) => outcome[field])).toEqual([value, value]);
  });

  it.each([
    ['within_tolerance', true],
    ['difference', -25],
    ['difference_pct', -2.4998],
    ['difference_abs', 25],
    ['action', 'AUTO_APPROVE'],
    ['config_source', 'proveedor'],
  ])('has %s: %j of an amount that is only checked [tolerance-outcome/$0]', async (field, value) => {
    const { body } = await call('validate-amount', { body: { invoice_id: '1001', amount: 975.1 } });
    expect(body.data[field]).toBe(value);
  });
});
