import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { buildAuthorization, readError, createLegacyCaller } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

/** A caller with the invoice 9001; its calls have bodies whose id is written as it is given. */
async function newCaller() {
  const account = await seedAccount(portal.engine);
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '9001' })]);
  const call = createLegacyCaller(portal.invoke, account);
  const authorization = `"WSAutorizacion": ${JSON.stringify(buildAuthorization(account))}`;
  const withId = (operation: string, id: string) =>
    call(operation, {}, { body: `\uFEFF{${authorization}, "IdFactura" : ${id}, "Importe": 1000}` });
  const inBatch = (id: string) => {
    const items = `[{"IdFactura": 9001, "Importe": 1}, {"IdFactura": ${id}, "Importe": 1000}]`;
    return call('WSDeclararFacturas', {}, { body: `{${authorization}, "Declaraciones": ${items}}` });
  };
  return { call, withId, inBatch };
}

describe('a legacy request', () => {
  it('is read as JSON whatever its Content-Type is [legacy-dispatch/WSAutorizacion]', async () => {
    const { call } = await newCaller();
    for (const type of [undefined, '', 'text/xml; charset=ISO-8859-1', 'application/x-www-form-urlencoded']) {
      const answer = await call('WSObtenerFactura', { IdFactura: '9001' }, { headers: { 'content-type': type } });
      expect(answer.body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
    }
  });

  it('is refused where the gateway has replaced bytes, which are handed on whole as JSON only', async () => {
    const { call } = await newCaller();
    const fields = { IdFactura: '9001', Importe: 1, Observaciones: 'Caf\uFFFD' };
    const refused = await call('WSDeclararFactura', fields, { headers: { 'content-type': 'text/plain' } });
    const message = 'Los datos no son válidos. body debe ser un texto Unicode bien formado.';
    expect(readError(refused)).toEqual([200, 'VALIDATION_ERROR', message]);
    expect((await call('WSDeclararFactura', fields)).body.Resultado.Exito).toBe(true);
  });

  it('names its operation in capital or small letters [legacy-dispatch/route]', async () => {
    const { call } = await newCaller();
    for (const operation of ['wsobtenerfactura', 'WSOBTENERFACTURA']) {
      const { headers, body } = await call(operation, { IdFactura: '9001' });
      expect(body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
      expect(headers['X-RateLimit-Limit']).toBe(`${LIMITS.reads}`);
    }
  });
});

it.each([null, ''])('the optional fields of WSListarFacturas count as not sent if they are %j', async (value) => {
  const { call } = await newCaller();
  const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
  const optional = { Estado: value, Busqueda: value, Limite: value, Desplazamiento: value };
  const { body } = await call('WSListarFacturas', { ...range, ...optional });
  expect(body).toMatchObject({ Facturas: [{ IdFactura: '9001' }], Total: 1, Limite: 25, Desplazamiento: 0 });
});

describe('an id that is a number', () => {
  it('is the id of its digits, in every operation', async () => {
    const { withId, inBatch } = await newCaller();
    for (const operation of ['WSObtenerFactura', 'WSValidarFactura', 'WSDeclararFactura'])
      expect((await withId(operation, '9001.0')).body.Resultado.Exito).toBe(true);
    expect((await inBatch('9001')).body).toMatchObject({ Aceptadas: 2 });
  });

  // Each is 9001, or the largest number that a float can tell from its neighbours, when a float is made of it.
  it.each(['9001.0000000000000001', '9.001e3', '9007199254740991.3', '9007199254740992', 'true', '{}'])(
    'is refused when it is no whole number from 0 to 2^53 - 1: %s',
    async (written) => {
      const { withId, inBatch } = await newCaller();
      const rule = 'debe ser un texto de dígitos o un número entero de 0 a 9007199254740991.';
      const refusal = (field: string) => [200, 'VALIDATION_ERROR', `Los datos no son válidos. ${field} ${rule}`];
      expect(readError(await withId('WSObtenerFactura', written))).toEqual(refusal('IdFactura'));
      expect(readError(await inBatch(written))).toEqual(refusal('Declaraciones[1].IdFactura'));
    },
  );
});
