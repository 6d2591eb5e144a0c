import { describe, expect, it } from 'vitest';
import { errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { readRecord, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const portal = usePortal();

const sent = { notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };
const nulls = { notes: null, invoice_number: null, invoice_date: null, tax_pct: null };
const legacyNulls = { Observaciones: null, NumeroFactura: null, FechaFactura: null, PorcentajeImpuesto: null };
const stored = {
  declared_notes: 'Peaje',
  provider_invoice_number: 'FE-9',
  provider_invoice_date: '2026-03-20',
  declared_tax_pct: 19,
};

const empty = { notes: '', invoice_number: '', invoice_date: '' };
const legacyEmpty = { Observaciones: '', NumeroFactura: '', FechaFactura: '' };

/** Two ways to declare 900 on an invoice, singly and in a batch, by each surface; with nulls unless others are named. */
async function callerWithInvoice(fields: object = nulls, legacyFields: object = legacyNulls) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
  const declaration = { invoice_id: '1', amount: 900, ...fields };
  const legacy = legacyCallsOf(portal.invoke, account);
  const legacyDeclaration = { IdFactura: '1', Importe: 900, ...legacyFields };
  return {
    legacy,
    call,
    declare: (sentFields: object) =>
      call('declare-invoice', { body: { invoice_id: '1', amount: 1000, ...sentFields } }),
    ways: {
      declare: () => call('declare-invoice', { body: declaration }),
      'declare-batch': () => call('declare-batch', { body: { declarations: [declaration] } }),
      WSDeclararFactura: () => legacy('WSDeclararFactura', legacyDeclaration),
      WSDeclararFacturas: () => legacy('WSDeclararFacturas', { Declaraciones: [legacyDeclaration] }),
    },
    current: async () => (await storedInvoices(portal.engine, account.scope)).get('1'),
    revisions: () => storedRevisions(portal.engine, account.scope, '1'),
  };
}

describe('null in an optional field counts as not sent', () => {
  it.each(['declare', 'declare-batch', 'WSDeclararFactura', 'WSDeclararFacturas'] as const)('by %s', async (way) => {
    const { declare, ways, current, revisions } = await callerWithInvoice();
    expect((await ways[way]()).status).toBe(200);
    const first = await current();
    expect(first).toMatchObject({ declared_amount: 900 });
    for (const name of Object.keys(stored)) expect(first).not.toHaveProperty(name);

    await declare(sent);
    expect((await ways[way]()).status).toBe(200);
    expect(await current()).toMatchObject({ declared_amount: 900, ...stored });
    expect((await revisions()).at(-1)).toMatchObject({ sk: 3, declared_amount: 900, ...stored });
  });

  it('by login, which then registers no player id', async () => {
    const account = await seedAccount(portal.engine);
    const { tenant } = account.scope;
    const { email, password } = account;
    const { status } = await portal.invoke('login', { headers: { tenant }, body: { email, password, playerid: null } });
    expect(status).toBe(200);
    expect(await readRecord(portal.engine, account.keys.user)).not.toHaveProperty('player_ids');
  });

  it('by WSListarFacturas', async () => {
    const { legacy } = await callerWithInvoice();
    const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
    const optional = { Estado: null, Busqueda: null, Limite: null, Desplazamiento: null };
    const { body } = await legacy('WSListarFacturas', { ...range, ...optional });
    expect(body).toMatchObject({ Facturas: [{ IdFactura: '1' }], Total: 1, Limite: 25, Desplazamiento: 0 });
  });
});

describe('an empty text', () => {
  it.each(['declare', 'declare-batch', 'WSDeclararFactura', 'WSDeclararFacturas'] as const)(
    'clears notes, number and date, and what is clear is not written again: %s',
    async (way) => {
      const { call, declare, ways, current, revisions } = await callerWithInvoice(empty, legacyEmpty);
      await declare(sent);
      expect((await ways[way]()).status).toBe(200);
      const { declared_tax_pct: tax, ...cleared } = stored;
      const now = await current();
      expect(now).toMatchObject({ declared_amount: 900, declared_tax_pct: tax });
      for (const name of Object.keys(cleared)) expect(now).not.toHaveProperty(name);
      const { body } = await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/1' });
      const shown = { declared_notes: null, provider_invoice_number: null, provider_invoice_date: null };
      expect(body.data).toMatchObject(shown);

      expect((await ways[way]()).status).toBe(200);
      const history = await revisions();
      expect(history).toHaveLength(2);
      expect(history.at(-1)).toMatchObject(shown);
    },
  );

  it('counts as not sent in what WSListarFacturas need not have', async () => {
    const { legacy } = await callerWithInvoice();
    const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
    const optional = { Estado: '', Busqueda: '', Limite: '', Desplazamiento: '' };
    const { body } = await legacy('WSListarFacturas', { ...range, ...optional });
    expect(body).toMatchObject({ Facturas: [{ IdFactura: '1' }], Total: 1, Limite: 25, Desplazamiento: 0 });
  });
});

describe('null in a required field', () => {
  it.each([
    ['WSObtenerFactura', { IdFactura: null }, 'IdFactura'],
    ['WSValidarFactura', { IdFactura: '1', Importe: null }, 'Importe'],
    ['WSDeclararFactura', { IdFactura: null, Importe: 1 }, 'IdFactura'],
    ['WSDeclararFacturas', { Declaraciones: [{ IdFactura: '1', Importe: null }] }, 'Declaraciones[0].Importe'],
    ['WSListarFacturas', { FechaDesde: null, FechaHasta: '2026-03-31' }, 'FechaDesde'],
  ])('is refused: %s %j', async (operation, fields, field) => {
    const { legacy } = await callerWithInvoice();
    const [status, code, message] = errorOf(await legacy(operation, fields));
    expect([status, code]).toEqual([200, 'VALIDATION_ERROR']);
    expect(message).toContain(`Los datos no son válidos. ${field} `);
  });
});

describe('what a field must be', () => {
  it('is named without null, which stands for a field that is not sent', async () => {
    const { declare } = await callerWithInvoice();
    const { body } = await declare({ notes: 7, tax_pct: '21' });
    expect(body.error?.details).toEqual([
      { property: 'notes', constraints: { type: 'notes must be string' } },
      { property: 'tax_pct', constraints: { type: 'tax_pct must be number' } },
    ]);
  });
});
