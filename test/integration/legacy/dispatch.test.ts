import { expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { buildDeclaration, buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

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
const declaration = buildDeclaration({ amount: decimal('1033.33'), notes: 'Peaje' });
const providerInvoice = { number: 'FE-1', date: '2026-03-20' };
const declared = buildInvoice({
  invoiceId: '1001',
  state: 'REV',
  systemAmount: decimal('1000.10'),
  declaration,
  providerInvoice,
});
const pending = buildInvoice({ invoiceId: '1002', invoiceDate: '2026-03-10T08:00:00.000Z' });
const settled = buildInvoice({ invoiceId: '1003', state: 'LIQ', invoiceDate: '2026-05-01T08:00:00.000Z' });
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

const wasSettled = {
  Codigo: 'VALIDATION_ERROR',
  Mensaje: 'Los datos no son válidos. Declaraciones[1].IdFactura: una factura liquidada (LIQ) no puede declararse.',
};
const missing = { Codigo: 'NOT_FOUND', Mensaje: 'La factura no existe.' };

it.each<[operation: string, fields: object, response: object]>([
  [
    'WSListarFacturas',
    march,
    {
      Facturas: [row, expect.objectContaining({ IdFactura: '1002', CodigoEstado: 'PEN' })],
      ...{ Tolerancia, Total: 2, Limite: 25, Desplazamiento: 0 },
    },
  ],
  [
    'WSDeclararFacturas',
    { Declaraciones: ['1002', '1003', '7'].map((IdFactura) => ({ IdFactura, Importe: 1005 })) },
    {
      Resultados: [
        { IdFactura: '1002', Exito: true, ...accepted },
        { IdFactura: '1003', Exito: false, Error: wasSettled },
        { IdFactura: '7', Exito: false, Error: missing },
      ],
      ...{ Aceptadas: 1, Rechazadas: 2 },
    },
  ],
])('%s returns its result with the legacy field names: %j', async (operation, fields, response) => {
  proves('service/rule-4/route', 'legacy-dispatch/route');
  const account = await seedAccount(portal.engine, { supplier: { tolerance: fromTolerance(tolerance) } });
  await seedInvoices(portal.engine, account.scope, [declared, pending, settled]);
  const { status, body } = await createLegacyCaller(portal.invoke, account)(operation, fields);
  expect([status, body]).toEqual([200, { Resultado, ...response }]);
});
