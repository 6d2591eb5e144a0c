import { describe, expect, it } from 'vitest';
import {
  authorizationOf,
  errorOf,
  type LegacyCall,
  legacyCallsOf,
  legacyRequests,
} from '../../support/legacy/legacy.ts';
import type { LegacyAnswer } from '../../support/legacy/legacy-answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, type AccountOverrides, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

const declaration = { IdFactura: '4711', Importe: 1 };
const detail = { IdFactura: '4711' };
const INVALID = 'Los datos no son válidos.';
const NOT_FOUND = [200, 'NOT_FOUND', 'La factura no existe.'];
const UNKNOWN = [404, 'NOT_FOUND', 'La operación no existe.'];
const UNEXPECTED = [500, 'INTERNAL_ERROR', 'Se produjo un error inesperado.'];
const UNAVAILABLE = [
  503,
  'SERVICE_UNAVAILABLE',
  'No se pudo verificar al usuario en este momento. Vuelva a intentarlo en unos segundos.',
];

async function newCaller(overrides?: AccountOverrides): Promise<{ account: Account; call: LegacyCall }> {
  const account = await seedAccount(portal.engine, overrides);
  return { account, call: legacyCallsOf(portal.invoke, account) };
}

describe('invalid data', () => {
  const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
  it.each([
    ['WSListarFacturas', {}, 'FechaDesde es obligatorio. FechaHasta es obligatorio.'],
    ['WSListarFacturas', { ...range, FechaHasta: '' }, 'FechaHasta no puede estar vacío.'],
    ['WSListarFacturas', { ...range, Estado: 'NON' }, 'Estado no es uno de los valores admitidos.'],
    ['WSListarFacturas', { ...range, Busqueda: 'x'.repeat(121) }, 'Busqueda es demasiado largo.'],
    [
      'WSListarFacturas',
      { ...range, Limite: 101, Desplazamiento: -1 },
      'Limite es mayor que el máximo. Desplazamiento es menor que el mínimo.',
    ],
    ['WSListarFacturas', { ...range, Limite: '25' }, 'Limite no es del tipo esperado.'],
    ['WSObtenerFactura', {}, 'IdFactura es obligatorio.'],
    ['WSObtenerFactura', { IdFactura: '12a' }, 'IdFactura debe tener solo dígitos.'],
    ['WSValidarFactura', { IdFactura: 7, Importe: '1' }, 'Importe no es del tipo esperado.'],
    ['WSDeclararFactura', { IdFactura: '1' }, 'Importe es obligatorio.'],
    ['WSDeclararFactura', { IdFactura: '1', Importe: -1 }, 'Importe es menor que el mínimo.'],
    ['WSDeclararFactura', { ...declaration, Observaciones: 'x'.repeat(2001) }, 'Observaciones es demasiado largo.'],
    ['WSDeclararFactura', { ...declaration, NumeroFactura: 'x'.repeat(61) }, 'NumeroFactura es demasiado largo.'],
    ['WSDeclararFactura', { ...declaration, FechaFactura: 'ayer' }, 'FechaFactura no tiene el formato esperado.'],
    ['WSDeclararFactura', { ...declaration, PorcentajeImpuesto: 101 }, 'PorcentajeImpuesto es mayor que el máximo.'],
    ['WSDeclararFacturas', {}, 'Declaraciones es obligatorio.'],
    ['WSDeclararFacturas', { Declaraciones: 'x' }, 'Declaraciones no es del tipo esperado.'],
    ['WSDeclararFacturas', { Declaraciones: [] }, 'Declaraciones debe tener al menos un elemento.'],
    [
      'WSDeclararFacturas',
      { Declaraciones: Array.from({ length: 101 }, () => declaration) },
      'Declaraciones tiene más de 100 elementos.',
    ],
    [
      'WSDeclararFacturas',
      { Declaraciones: [declaration, 7, { Importe: 1 }, { ...declaration, Importe: -1 }] },
      'Declaraciones[1] no es del tipo esperado. Declaraciones[2].IdFactura es obligatorio. Declaraciones[3].Importe es menor que el mínimo.',
    ],
  ])('is VALIDATION_ERROR and named by its legacy field: %s %j', async (operation, fields, what) => {
    const { call } = await newCaller();
    expect(errorOf(await call(operation, fields))).toEqual([200, 'VALIDATION_ERROR', `${INVALID} ${what}`]);
  });

  it.each([
    ['reversed', { FechaDesde: '2026-03-31', FechaHasta: '2026-03-01' }],
    ['longer than 93 days', { FechaDesde: '2026-01-01', FechaHasta: '2026-12-31' }],
    ['no date', { FechaDesde: '2026-02-30', FechaHasta: '2026-03-01' }],
  ])('is INVALID_DATE_RANGE when the range is %s', async (_what, fields) => {
    const { call } = await newCaller();
    expect(errorOf(await call('WSListarFacturas', fields))).toEqual([
      200,
      'INVALID_DATE_RANGE',
      'El rango de fechas no es válido: se esperan fechas ISO 8601, FechaHasta no anterior a FechaDesde y 93 días como máximo.',
    ]);
  });

  it.each([
    ['malformed JSON', { body: '{' }, 'body no es un JSON válido.'],
    ['no body', { body: '' }, 'body no es un JSON válido.'],
    ['a body that is too big', { body: ' '.repeat(2 ** 20 + 1) }, 'body es demasiado grande.'],
    ['a body of too many values', { body: `[${'0,'.repeat(10_000)}0]` }, 'body tiene demasiados nombres y valores.'],
  ])('is VALIDATION_ERROR when there is %s [legacy-dispatch/WSAutorizacion]', async (_what, request, what) => {
    const { call } = await newCaller();
    const answer = await call('WSObtenerFactura', detail, request);
    expect(errorOf(answer)).toEqual([200, 'VALIDATION_ERROR', `${INVALID} ${what}`]);
  });

  it('is VALIDATION_ERROR when the invoice is settled, to declare it as to check it', async () => {
    const { account, call } = await newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '4711', state: 'LIQ' })]);
    const settled = `${INVALID} IdFactura está liquidada y ya no puede declararse.`;
    for (const operation of ['WSDeclararFactura', 'WSValidarFactura']) {
      expect(errorOf(await call(operation, declaration))).toEqual([200, 'VALIDATION_ERROR', settled]);
    }
  });
});

describe('an invoice that is absent or of another supplier', () => {
  it.each(['WSObtenerFactura', 'WSDeclararFactura', 'WSValidarFactura'])(
    'is NOT_FOUND in the same words for %s, and nothing of it changes [service/rule-1] [service/rule-4/data]',
    async (operation) => {
      const { account, call } = await newCaller();
      const colleague = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
      await seedInvoices(portal.engine, colleague.scope, [anInvoice({ invoiceId: '4712' })]);
      expect(errorOf(await call(operation, declaration))).toEqual(NOT_FOUND);
      expect(errorOf(await call(operation, { ...declaration, IdFactura: '4712' }))).toEqual(NOT_FOUND);
      const stored = await storedInvoices(portal.engine, colleague.scope);
      expect(stored.get('4712')).toMatchObject({ version: 1, state_code: 'PEN' });
    },
  );
});

describe('a legacy declaration whose outcome is not known', () => {
  it('says so, and that to declare again does no harm', async () => {
    const { account, call } = await newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '4711' })]);
    portal.proxy.fail({ operation: 'TransactWriteItems', how: 'error' });
    expect(errorOf(await call('WSDeclararFactura', declaration))).toEqual([
      500,
      'INTERNAL_ERROR',
      'No se sabe si la declaración quedó registrada; declare de nuevo: no causa problemas.',
    ]);
  });
});

describe('a legacy batch with items that fail', () => {
  it('is a success with one Spanish message per failed item', async () => {
    const { account, call } = await newCaller();
    const invoices = [anInvoice({ invoiceId: '1', state: 'LIQ' }), anInvoice({ invoiceId: '2' })];
    await seedInvoices(portal.engine, account.scope, invoices);
    const Declaraciones = ['1', '2', '3'].map((IdFactura) => ({ IdFactura, Importe: 1 }));
    const { status, body } = await call('WSDeclararFacturas', { Declaraciones });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      Resultado: { Exito: true },
      Resultados: [
        { Error: { Codigo: 'VALIDATION_ERROR', Mensaje: 'La factura está liquidada y ya no puede declararse.' } },
        { Exito: true },
        { Error: { Codigo: 'NOT_FOUND', Mensaje: 'La factura no existe.' } },
      ],
      Aceptadas: 1,
      Rechazadas: 2,
    });
  });

  it('says that an outcome is not known, and nothing of the cause', async () => {
    const { account, call } = await newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '4711' })]);
    portal.proxy.fail({ operation: 'TransactWriteItems', how: 'error' });
    const { status, body } = await call('WSDeclararFacturas', { Declaraciones: [declaration] });
    expect([status, body['Resultados']]).toEqual([
      200,
      [
        {
          IdFactura: '4711',
          Exito: false,
          Error: {
            Codigo: 'INTERNAL_ERROR',
            Mensaje: 'No se sabe si la declaración quedó registrada; declare de nuevo: no causa problemas.',
          },
        },
      ],
    ]);
  });
});

describe('an operation that does not exist', () => {
  it.each(['WSNada', 'WSListarFactura', 'constructor', '__proto__', 'hasOwnProperty', 'toString', ''])(
    'is 404 with a Resultado, whatever the body holds: %j [legacy-dispatch/route] [codes/NOT_FOUND/path]',
    async (operation) => {
      const { call } = await newCaller();
      expect(errorOf(await call(operation, detail))).toEqual(UNKNOWN);
      expect(errorOf(await call(operation, {}, { body: '{' }))).toEqual(UNKNOWN);
    },
  );
});

describe('a failure of the service', () => {
  it.each(legacyRequests)('is 500 with a Resultado that says nothing of its cause: %s', async (operation, fields) => {
    const { account, call } = await newCaller();
    portal.proxy.fail({ table: 'Invoices', how: 'error' });
    const answer = await call(operation, fields);
    expect(errorOf(answer)).toEqual(UNEXPECTED);
    expectNoSecrets(answer, account);
  });

  it.each(['Directory', 'RateCounters'] as const)('is 503 when %s cannot be reached', async (table) => {
    const { account, call } = await newCaller();
    portal.proxy.fail({ table, how: 'refuse' });
    const answer = await call('WSObtenerFactura', detail);
    expect(errorOf(answer)).toEqual(UNAVAILABLE);
    expectNoSecrets(answer, account);
    portal.proxy.reset();
    expect(errorOf(await call('WSObtenerFactura', detail))).toEqual(NOT_FOUND);
  });
});

describe('an error Resultado', () => {
  it('never repeats the credentials, what was sent, or the names of the current interface', async () => {
    const { account, call } = await newCaller();
    const fields = { IdFactura: 'secret-1', Importe: 'secret-2' };
    const answers = [
      await call('WSDeclararFactura', fields),
      await call('WSDeclararFacturas', { Declaraciones: [fields] }),
      await call('WSDeclararFactura', fields, { authorization: { Password: `x${account.password}` } }),
      await call('WSDeclararFactura', fields, { authorization: { Guid: `x${account.apiKey}` } }),
    ];
    for (const answer of answers) expectNoSecrets(answer, account);
  });
});

function expectNoSecrets({ headers, body }: LegacyAnswer, account: Account): void {
  const text = JSON.stringify([headers, body]);
  for (const secret of Object.values(authorizationOf(account))) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/secret|engine|dynamo|invoice|amount|declarations/i);
}
