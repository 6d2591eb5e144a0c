import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { buildAuthorization, readError, createLegacyCaller } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();

/** Creates a caller with the invoice 9001, whose calls contain the given text as the JSON of the id. */
async function createCaller() {
  const account = await seedAccount(portal.engine);
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId: '9001' })]);
  const call = createLegacyCaller(portal.invoke, account);
  const authorization = `"WSAutorizacion": ${JSON.stringify(buildAuthorization(account))}`;
  const fields = String.raw`"Importe": 1000, "Observaciones": "\"IdFactura\": 7,"`;
  const callWithId = (operation: string, id: string) =>
    call(operation, {}, { body: `\uFEFF{${authorization}, "IdFactura" : ${id}, ${fields}}` });
  const callBatchWithId = (id: string) => {
    const items = `[{"IdFactura": 9001, "Importe": 1}, {"IdFactura": ${id}, "Importe": 1000}]`;
    return call('WSDeclararFacturas', {}, { body: `{${authorization}, "Declaraciones": ${items}}` });
  };
  return { call, callWithId, callBatchWithId };
}

it('a legacy request is read as JSON with any Content-Type', async () => {
  proves('legacy-dispatch/WSAutorizacion');
  const { call } = await createCaller();
  for (const type of [undefined, '', 'text/xml; charset=ISO-8859-1', 'application/x-www-form-urlencoded']) {
    const response = await call('WSObtenerFactura', { IdFactura: '9001' }, { headers: { 'content-type': type } });
    expect(response.body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
  }
});

it('a legacy request with U+FFFD is rejected unless its Content-Type is JSON, whose bytes the gateway does not replace', async () => {
  const { call } = await createCaller();
  const fields = { IdFactura: '9001', Importe: 1, Observaciones: 'Caf\uFFFD' };
  const rejected = await call('WSDeclararFactura', fields, { headers: { 'content-type': 'text/plain' } });
  const message = 'Los datos no son válidos. body debe ser un texto Unicode bien formado.';
  expect(readError(rejected)).toEqual([200, 'VALIDATION_ERROR', message]);
  expect((await call('WSDeclararFactura', fields)).body.Resultado.Exito).toBe(true);
});

it('a legacy request can write its operation in upper or lower case', async () => {
  proves('legacy-dispatch/route');
  const { call } = await createCaller();
  for (const operation of ['wsobtenerfactura', 'WSOBTENERFACTURA']) {
    const { headers, body } = await call(operation, { IdFactura: '9001' });
    expect(body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
    expect(headers['X-RateLimit-Limit']).toBe(`${LIMITS.reads}`);
  }
});

it.each([null, ''])('the optional fields of WSListarFacturas count as not sent if they are %j', async (value) => {
  const { call } = await createCaller();
  const range = { FechaDesde: '2026-03-01', FechaHasta: '2026-03-31' };
  const optional = { Estado: value, Busqueda: value, ModificadasDesde: value, Limite: value, Desplazamiento: value };
  const { body } = await call('WSListarFacturas', { ...range, ...optional });
  expect(body).toMatchObject({ Facturas: [{ IdFactura: '9001' }], Total: 1, Limite: 25, Desplazamiento: 0 });
});

it('a numeric id is read as the text of its digits in every operation', async () => {
  const { callWithId, callBatchWithId } = await createCaller();
  for (const operation of ['WSObtenerFactura', 'WSValidarFactura', 'WSDeclararFactura'])
    expect((await callWithId(operation, '9001.000')).body.Resultado.Exito).toBe(true);
  expect((await callBatchWithId('9001')).body).toMatchObject({ Aceptadas: 2 });
});

// Each number would become 9001, 2^53 - 1 or 2^53 if it were read as a floating-point number.
it.each(['9001.0000000000000001', '9.001e3', '9007199254740991.3', '9007199254740992', 'true', '{}'])(
  'a numeric id is rejected if it is not an integer from 0 to 2^53 - 1: %s',
  async (id) => {
    const { callWithId, callBatchWithId } = await createCaller();
    const rule = 'debe ser un texto de dígitos o un número entero de 0 a 9007199254740991.';
    const buildError = (field: string) => [200, 'VALIDATION_ERROR', `Los datos no son válidos. ${field} ${rule}`];
    expect(readError(await callWithId('WSObtenerFactura', id))).toEqual(buildError('IdFactura'));
    expect(readError(await callBatchWithId(id))).toEqual(buildError('Declaraciones[1].IdFactura'));
  },
);
