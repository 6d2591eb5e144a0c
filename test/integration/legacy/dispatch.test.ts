import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { legacyCallsOf, type LegacyRequest } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = usePortal();

const march = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
const Resultado = { Exito: true, Codigo: 'OK', Mensaje: 'Operación realizada.' };
const tolerance = { mode: 'AMB', pct: decimal('2.5'), abs: decimal('100'), autoApprove: true } as const;
const Tolerancia = {
  Modo: 'AMB',
  ToleranciaPorcentual: 2.5,
  ToleranciaAbsoluta: 100,
  AprobacionAutomatica: true,
  Origen: 'proveedor',
};
const declaration = aDeclaration({ amount: decimal('1033.33'), notes: 'Peaje' });
const providerInvoice = { number: 'FE-1', date: '2026-03-20' };
const declared = anInvoice({
  invoiceId: '1001',
  state: 'REV',
  systemAmount: decimal('1000.10'),
  declaration,
  providerInvoice,
});
const pending = anInvoice({ invoiceId: '1002', invoiceDate: '2026-03-10T08:00:00.000Z' });
const row = {
  IdFactura: '1001',
  FechaFactura: '2026-03-15T10:30:00.000Z',
  IdServicio: '7001',
  NumeroServicio: 'SRV-7001',
  FechaSolicitud: '2026-03-14T08:00:00.000Z',
  Cuenta: 'Aseguradora Córdoba',
  Ciudad: 'Bogotá',
  ImporteSistema: 1000.1,
  IdDeclaracion: declaration.declarationId,
  ImporteDeclarado: 1033.33,
  Observaciones: 'Peaje',
  NumeroFacturaProveedor: 'FE-1',
  FechaFacturaProveedor: '2026-03-20',
  CodigoEstado: 'REV',
  NombreEstado: 'En revisión',
  Diferencia: 33.23,
  DiferenciaPorcentual: 3.3227,
  UrlAdjunto: 'https://files.example/invoice.pdf',
  NombreAdjunto: 'invoice.pdf',
};
const outcomeOfFive = {
  DentroDeTolerancia: true,
  Diferencia: 5,
  DiferenciaPorcentual: 0.5,
  DiferenciaAbsoluta: 5,
  Accion: 'AUTO_APPROVE',
  OrigenTolerancia: 'proveedor',
};
const accepted = {
  IdDeclaracion: expect.stringMatching(/^\d+$/),
  ImporteDeclarado: 1005,
  IdEstado: 3,
  Tolerancia: outcomeOfFive,
};

/** Asks for an operation on a new caller's two invoices, the one declared and the other pending. */
async function dispatch(operation: string, fields: object, request?: LegacyRequest) {
  const account = await seedAccount(portal.engine, { supplier: { tolerance: fromTolerance(tolerance) } });
  await seedInvoices(portal.engine, account.scope, [declared, pending]);
  return legacyCallsOf(portal.invoke, account)(operation, fields, request);
}

describe('POST /apidev/legacy/{WSName}', () => {
  it('WSListarFacturas lists the invoices of the range, newest first, with the tolerance and the page [service/rule-4/route] [legacy-dispatch/route]', async () => {
    const { status, body } = await dispatch('WSListarFacturas', march);
    expect(status).toBe(200);
    const { Facturas, ...rest } = body;
    expect(rest).toEqual({ Resultado, Tolerancia, Total: 2, Limite: 25, Desplazamiento: 0 });
    expect(Facturas).toEqual([row, expect.objectContaining({ IdFactura: '1002', CodigoEstado: 'PEN' })]);
    expect(Object.keys(Facturas[1])).toEqual(Object.keys(row));
  });

  it('WSListarFacturas takes a state, a search and a page', async () => {
    const filters = { Estado: 'REV', Busqueda: 'fe-1', Limite: 1, Desplazamiento: 1 };
    const { body } = await dispatch('WSListarFacturas', { ...march, ...filters });
    expect(body).toMatchObject({ Facturas: [], Total: 1, Limite: 1, Desplazamiento: 1 });
  });

  it('WSObtenerFactura opens an invoice with its concepts and the tolerance [service/rule-4/route] [legacy-dispatch/route]', async () => {
    const { status, body } = await dispatch('WSObtenerFactura', { IdFactura: '1001' });
    expect(status).toBe(200);
    const concept = {
      IdConcepto: '31',
      Descripcion: 'Grúa',
      ImporteUnitario: 500,
      Cantidad: 2,
      PorcentajeImpuesto: 19,
      Total: 1190,
    };
    expect(body).toEqual({ Resultado, ...row, Conceptos: [concept], Tolerancia });
  });

  it('WSDeclararFactura declares an amount and answers with the outcome [service/rule-4/route] [legacy-dispatch/route]', async () => {
    const fields = {
      IdFactura: '1002',
      Importe: 1005,
      Observaciones: 'Peaje',
      NumeroFactura: 'FE-2',
      FechaFactura: '2026-03-21',
      PorcentajeImpuesto: 19,
    };
    const { status, body } = await dispatch('WSDeclararFactura', fields);
    expect(status).toBe(200);
    expect(body).toEqual({ Resultado, ...accepted });
  });

  it('WSDeclararFacturas declares many amounts and answers one entry per item, and the counts [service/rule-4/route] [legacy-dispatch/route]', async () => {
    const items = [
      { IdFactura: '1002', Importe: 1005 },
      { IdFactura: '7', Importe: 1 },
    ];
    const { status, body } = await dispatch('WSDeclararFacturas', { Declaraciones: items });
    expect(status).toBe(200);
    expect(body).toEqual({
      Resultado,
      Resultados: [
        { IdFactura: '1002', Exito: true, ...accepted },
        { IdFactura: '7', Exito: false, Error: { Codigo: 'NOT_FOUND', Mensaje: 'La factura no existe.' } },
      ],
      Aceptadas: 1,
      Rechazadas: 1,
    });
  });

  it('WSValidarFactura checks an amount [service/rule-4/route] [legacy-dispatch/route]', async () => {
    const { status, body } = await dispatch('WSValidarFactura', { IdFactura: '1002', Importe: 1005 });
    expect(status).toBe(200);
    const amounts = { IdFactura: '1002', ImporteSistema: 1000, ImporteDeclarado: 1005 };
    expect(body).toEqual({ Resultado, ...amounts, ...outcomeOfFive });
  });

  it('takes an e-mail or a username as Usuario, a Guid in any case, and a tenant header only of its tenant [legacy-auth/Usuario] [legacy-auth/Guid]', async () => {
    const username = `Integrador-${newId()}`;
    const account = await seedAccount(portal.engine, { user: { username } });
    await seedInvoices(portal.engine, account.scope, [pending]);
    const call = legacyCallsOf(portal.invoke, account);
    for (const request of [
      { authorization: { Usuario: account.email.toUpperCase() } },
      { authorization: { Usuario: username } },
      { authorization: { Usuario: username.toLowerCase(), Guid: account.apiKey.toUpperCase() } },
      { headers: { tenant: '' } },
      { headers: { tenant: account.scope.tenant.toUpperCase() } },
    ]) {
      const { body } = await call('WSObtenerFactura', { IdFactura: '1002' }, request);
      expect(body).toMatchObject({ Resultado, IdFactura: '1002' });
    }
  });

  it('ignores fields that the operation does not have, the names of the current interface among them', async () => {
    const fields = { IdFactura: '1002', Importe: 1005, amount: -1, invoice_id: 'x', notes: 7, Otro: {} };
    const { body } = await dispatch('WSDeclararFactura', fields);
    expect(body).toEqual({ Resultado, ...accepted });
  });
});
