import { describe, expect, it } from 'vitest';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const portal = usePortal();

const texts = { declared_notes: 'Peaje', provider_invoice_number: 'FE-9', provider_invoice_date: '2026-03-20' };
const stored = { ...texts, declared_tax_pct: 19 };

async function newCaller() {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
  const legacy = legacyCallsOf(portal.invoke, account);
  const ofText = (text: string | null) => ({ invoice_id: '1', amount: 900, notes: text, invoice_number: text });
  const inLegacy = (text: string | null) => ({
    IdFactura: '1',
    Importe: 900,
    Observaciones: text,
    NumeroFactura: text,
  });
  return {
    legacy,
    declare: (fields: object) => call('declare-invoice', { body: { invoice_id: '1', amount: 1000, ...fields } }),
    /** The ways to declare 900, with a text or null in the optional texts. */
    ways: {
      declare: (text: string | null) =>
        call('declare-invoice', { body: { ...ofText(text), invoice_date: text, tax_pct: null } }),
      'declare-batch': (text: string | null) =>
        call('declare-batch', { body: { declarations: [{ ...ofText(text), invoice_date: text, tax_pct: null }] } }),
      WSDeclararFactura: (text: string | null) =>
        legacy('WSDeclararFactura', { ...inLegacy(text), FechaFactura: text, PorcentajeImpuesto: null }),
      WSDeclararFacturas: (text: string | null) =>
        legacy('WSDeclararFacturas', { Declaraciones: [{ ...inLegacy(text), FechaFactura: text }] }),
    },
    current: async () => (await storedInvoices(portal.engine, account.scope)).get('1'),
    revisions: () => storedRevisions(portal.engine, account.scope, '1'),
  };
}

describe('an optional field', () => {
  it.each(['declare', 'declare-batch', 'WSDeclararFactura', 'WSDeclararFacturas'] as const)(
    'that is null counts as not sent; an empty text clears it, and is not written again: %s',
    async (way) => {
      const { declare, ways, current, revisions } = await newCaller();
      await ways[way](null);
      const first = await current();
      expect(first).toMatchObject({ declared_amount: 900 });
      for (const name of Object.keys(stored)) expect(first).not.toHaveProperty(name);

      await declare({ notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 });
      await ways[way](null);
      expect(await current()).toMatchObject({ declared_amount: 900, ...stored });

      for (let time = 0; time < 2; time++) await ways[way]('');
      const cleared = await current();
      expect(cleared).toMatchObject({ declared_amount: 900, declared_tax_pct: 19 });
      for (const name of Object.keys(texts)) expect(cleared).not.toHaveProperty(name);
      expect(await revisions()).toHaveLength(4);
    },
  );

  it.each([null, ''])('of WSListarFacturas counts as not sent when it is %j', async (value) => {
    const { legacy } = await newCaller();
    const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
    const optional = { Estado: value, Busqueda: value, Limite: value, Desplazamiento: value };
    const { body } = await legacy('WSListarFacturas', { ...range, ...optional });
    expect(body).toMatchObject({ Facturas: [{ IdFactura: '1' }], Total: 1, Limite: 25, Desplazamiento: 0 });
  });

  it('says what it must be without null, which stands for a field that is not sent', async () => {
    const { declare } = await newCaller();
    const { body } = await declare({ notes: 7 });
    expect(body.error?.details).toEqual([{ property: 'notes', constraints: { type: 'notes must be string' } }]);
  });
});
