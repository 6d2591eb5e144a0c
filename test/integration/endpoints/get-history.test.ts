import { describe, expect, it } from 'vitest';
import { createOpsTenant } from '../../support/ops/ops-tenant.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { expectConstraintError } from '../../support/answers/answer.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();

/** Creates a tenant of the company, and a user of its supplier 10. */
async function createCompany() {
  const company = await createOpsTenant(portal.engine);
  const { account, call } = await portal.newCaller({
    tenant: { tenant: company.tenant },
    supplier: { supplier_id: company.scope.supplierId },
  });
  const readHistory = (id: string, query: Record<string, string> = {}) =>
    call('get-history', { path: `/apidev/v1/supplier-portal/invoices/${id}/history`, query });
  const declare = async (id: string, amount: number) =>
    (await call('declare-invoice', { body: { invoice_id: id, amount } })).body;
  return { company, account, call, readHistory, declare };
}

it('a supplier corrects a rejected invoice, and follows it to its payment, only by what the API returns', async () => {
  proves('get-history/response', 'get-history/values', 'get-history/id');
  const { company, readHistory, declare } = await createCompany();
  await company.importRecords([{ invoice_id: '1', system_amount: 1000, invoice_date: '2026-08-24' }]);
  await declare('1', 1500);
  const message = 'The agreed amount is 1040.';
  await company.run('set-state', '1', 'REC', '--reason', 'Too expensive', '--message', message);

  const rejected = (await readHistory('1', { limit: '1' })).body;
  const [reason] = rejected.data as unknown as { state_code: string; message: string }[];
  expect(reason).toMatchObject({ kind: 'STATE_CHANGED', state_code: 'REC', message });
  await declare('1', Number(/\d+/.exec(reason?.message ?? '')?.[0]));
  await company.decide([{ invoice_id: '1', revision: 2, decision: 'AJU', approved_amount: '1030.50' }]);
  await company.run(
    'set-state',
    '1',
    'LIQ',
    '--reason',
    'Paid',
    '--paid-on',
    '2026-09-03',
    '--payment-reference',
    'T-1',
  );

  const { body } = await readHistory('1');
  const unpaid = { paid_on: null, payment_reference: null };
  const none = { message: null, approved_amount: null, ...unpaid };
  const approved = { ...none, approved_amount: 1030.5 };
  const second = { system_amount: 1000, declared_amount: 1040, difference: 40 };
  const first = { system_amount: 1000, declared_amount: 1500, difference: 500 };
  const changed = { kind: 'STATE_CHANGED', action: null, declared_by_me: false, changed_at: expect.any(String) };
  const declared = { kind: 'DECLARED', action: 'REVIEW', declared_by_me: true, changed_at: expect.any(String) };
  expect(body.data).toEqual([
    {
      ...changed,
      state_code: 'LIQ',
      state_name: 'Liquidada',
      ...second,
      ...approved,
      paid_on: '2026-09-03',
      payment_reference: 'T-1',
    },
    { ...changed, state_code: 'AJU', state_name: 'Ajustada', ...second, ...approved },
    { ...declared, state_code: 'REV', state_name: 'En revisión', ...second, ...none },
    { ...changed, state_code: 'REC', state_name: 'Rechazada', ...first, ...none, message },
    { ...declared, state_code: 'REV', state_name: 'En revisión', ...first, ...none },
  ]);
  expect(body.meta).toEqual({ total: 5, limit: 25, offset: 0 });
  const times = (body.data as unknown as { changed_at: string }[]).map(({ changed_at: time }) => time);
  expect(times).toEqual(times.toSorted().toReversed());
});

it('after the company has approved an amount, a declaration goes to review even within the tolerance', async () => {
  const { company, call, declare } = await createCompany();
  await company.importRecords([{ invoice_id: '1' }]);
  await declare('1', 1000);
  await company.run('set-state', '1', 'APR', '--reason', 'Agreed', '--approved-amount', '900,50');
  const { body } = await call('validate-amount', { body: { invoice_id: '1', amount: 1000.5 } });
  expect(body.data).toMatchObject({ action: 'REVIEW' });
  expect((await declare('1', 1000.5)).data).toMatchObject({ state_id: 4 });
  expect(await company.runJson('show', '1')).toMatchObject({ approved_amount: null });
});

it('the history of an imported invoice begins with its message or payment', async () => {
  const { company, readHistory } = await createCompany();
  const paid = { paid_on: '2026-09-03', payment_reference: 'T-1' };
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2', state_code: 'LIQ', ...paid }]);
  expect((await readHistory('1')).body).toMatchObject({ data: [], meta: { total: 0 } });
  expect((await readHistory('2')).body.data).toMatchObject([{ kind: 'NOTICE_CHANGED', state_code: 'LIQ', ...paid }]);
  await company.importRecords([{ invoice_id: '2', city: 'Salta' }]);
  const kinds = [
    { kind: 'FIELDS_CHANGED', ...paid },
    { kind: 'NOTICE_CHANGED', ...paid },
  ];
  expect((await readHistory('2')).body.data).toMatchObject(kinds);
  expect((await company.run('verify')).stdout).toContain('2 invoices compared with their histories, 0 differ.');
});

describe('a page', () => {
  it('limit and offset select the changes of a page, and total counts all changes', async () => {
    proves('get-history/limit', 'get-history/offset');
    const { company, readHistory, declare } = await createCompany();
    await company.importRecords([{ invoice_id: '1' }]);
    for (const amount of [1, 2, 3]) await declare('1', amount);
    const { body } = await readHistory('1', { limit: '1', offset: '1' });
    expect(body.data).toMatchObject([{ declared_amount: 2 }]);
    expect(body.meta).toEqual({ total: 3, limit: 1, offset: 1 });
    expectConstraintError(await readHistory('1', { limit: '101' }), 'limit', 'maximum');
    expectConstraintError(await readHistory('1', { offset: '-1' }), 'offset', 'minimum');
    expectConstraintError(await readHistory('x'), 'id', 'pattern');
  });
});

it('the history of a withdrawn or foreign invoice is the same 404 as that of an unknown one', async () => {
  proves('get-history/not-found');
  const { company, readHistory, declare } = await createCompany();
  const other = await seedAccount(portal.engine, { tenant: { tenant: company.tenant } });
  const otherCall = await createCompany();
  await otherCall.company.importRecords([{ invoice_id: '2' }]);
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '3', supplier_id: other.scope.supplierId }]);
  await declare('1', 1000);
  await company.run('withdraw-invoice', '1', '--reason', 'Twice', '--revision', '1');
  for (const id of ['1', '2', '3', '4', '1'.repeat(21), '1'.repeat(5_000)]) {
    const { status, body } = await readHistory(id);
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } }),
    ]);
  }
  await company.run('restore-invoice', '1', '--reason', 'Not twice');
  const kinds = ['RESTORED', 'WITHDRAWN', 'DECLARED'].map((kind) => ({ kind }));
  expect((await readHistory('1')).body.data).toMatchObject(kinds);
});

it('WSHistorialFactura returns the history with legacy names', async () => {
  const { company, account, declare } = await createCompany();
  await company.importRecords([{ invoice_id: '1' }]);
  await declare('1', 1000.5);
  const legacy = createLegacyCaller(portal.invoke, account);
  const { body } = await legacy('WSHistorialFactura', { IdFactura: 1, Limite: 10 });
  expect(body).toEqual({
    Resultado: expect.objectContaining({ Exito: true }),
    ...{ Total: 1, Limite: 10, Desplazamiento: 0 },
    Cambios: [
      {
        ...{ FechaCambio: expect.any(String), Tipo: 'DECLARED', CodigoEstado: 'REV', NombreEstado: 'En revisión' },
        ...{ ImporteSistema: 1000, ImporteDeclarado: 1000.5, Diferencia: 0.5, Accion: 'REVIEW', Mensaje: null },
        ...{ ImporteAprobado: null, FechaPago: null, ReferenciaPago: null, DeclaradoPorPrestador: true },
      },
    ],
  });
});

it('no response contains internal reasons, operators or ids of other users', async () => {
  proves('get-history/private');
  const { company, account, call, readHistory, declare } = await createCompany();
  await company.importRecords([{ invoice_id: '1', invoice_date: '2026-03-10' }]);
  await declare('1', 1000);
  const amount = { invoice_id: '1', amount: 1500 };
  await declareInNewStore(portal.engine, company.scope, { invoiceId: '1', amount: 1500 }, { userId: '777000777' });
  const internal = ['--reason', 'INTERNAL-reason', '--by', 'INTERNAL-name'];
  for (const state of ['REC', 'PEN', 'APR']) await company.run('set-state', '1', state, ...internal);
  await company.run('withdraw-invoice', '1', '--revision', '2', ...internal);
  await company.run('restore-invoice', '1', ...internal);
  await company.importRecords([{ invoice_id: '1', system_amount: 900 }], '--force', ...internal);
  const legacy = createLegacyCaller(portal.invoke, account);
  const range = { startdate: '2026-03-01', enddate: '2026-03-31' };
  const dates = { FechaDesde: range.startdate, FechaHasta: range.enddate };
  const invoice = { IdFactura: '1', Importe: 1500 };
  const responses = [
    await readHistory('1'),
    await call('list-invoices', { query: range }),
    await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/1' }),
    await call('validate-amount', { body: amount }),
    await call('declare-invoice', { body: amount }),
    await call('declare-batch', { body: { declarations: [amount] } }),
    await legacy('WSListarFacturas', dates),
    await legacy('WSObtenerFactura', invoice),
    await legacy('WSHistorialFactura', invoice),
    await legacy('WSValidarFactura', invoice),
    await legacy('WSDeclararFactura', invoice),
    await legacy('WSDeclararFacturas', { Declaraciones: [invoice] }),
  ];
  const texts = responses.map(({ body, headers }) => JSON.stringify([body, headers]));
  for (const text of texts) expect(text).toMatch(/"success":true|"Exito":true/);
  // The company sees the internal texts in the history.
  const { stdout } = await company.run('history', '1', '--json');
  expect(stdout).toContain('777000777');
  const operator = /"changed_by": "([^"(]+) \(INTERNAL-name\)"[^]*INTERNAL-reason/.exec(stdout)?.[1] ?? 'unknown';
  expect(operator).not.toBe('unknown');
  for (const text of texts) {
    for (const secret of ['INTERNAL', '777000777', operator]) expect(text).not.toContain(secret);
  }
});
