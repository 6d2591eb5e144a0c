import { describe, expect, it } from 'vitest';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { authorizationOf, errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
const BY_ID = ['WSObtenerFactura', 'WSValidarFactura', 'WSDeclararFactura'];
// 2^53 - 1, which a float can still tell from its neighbours.
const LARGEST = '9007199254740991';

/** A caller with these invoices; its calls have bodies whose id is written as it is given. */
async function callerWith(...ids: readonly string[]) {
  const account = await seedAccount(portal.engine);
  const invoices = ids.map((invoiceId) => anInvoice({ invoiceId }));
  await seedInvoices(portal.engine, account.scope, invoices);
  const call = legacyCallsOf(portal.invoke, account);
  const WSAutorizacion = JSON.stringify(authorizationOf(account));
  const withId = (operation: string, id: string) =>
    call(operation, {}, { body: `{"WSAutorizacion": ${WSAutorizacion}, "IdFactura" : ${id}, "Importe": 1000}` });
  const inBatch = (...written: readonly string[]) => {
    const items = written.map((id) => `{"IdFactura": ${id}, "Importe": 1000}`);
    const body = `{"WSAutorizacion": ${WSAutorizacion}, "Declaraciones": [${items.join()}]}`;
    return call('WSDeclararFacturas', {}, { body });
  };
  return { call, withId, inBatch };
}

describe('a legacy request', () => {
  it.each([
    undefined,
    '',
    'text/plain',
    'text/xml; charset=ISO-8859-1',
    'application/x-www-form-urlencoded',
    'no type',
  ])('is read as JSON whatever its Content-Type is: %j [legacy-dispatch/WSAutorizacion]', async (type) => {
    const { call } = await callerWith('9001');
    const answer = await call('WSObtenerFactura', { IdFactura: '9001' }, { headers: { 'content-type': type } });
    expect(answer.body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
  });

  it('is refused where the gateway has replaced bytes, which are handed on whole as JSON only', async () => {
    const { call } = await callerWith('9001');
    const fields = { IdFactura: '9001', Importe: 1, Observaciones: 'Caf\uFFFD' };
    const refused = await call('WSDeclararFactura', fields, { headers: { 'content-type': 'text/plain' } });
    const message = 'Los datos no son válidos. body no es texto Unicode válido.';
    expect(errorOf(refused)).toEqual([200, 'VALIDATION_ERROR', message]);
    expect((await call('WSDeclararFactura', fields)).body.Resultado.Exito).toBe(true);
  });

  it.each(['wsobtenerfactura', 'WSOBTENERFACTURA', 'wsObtenerFACTURA'])(
    'names its operation in capital or small letters: %s [legacy-dispatch/route]',
    async (operation) => {
      const { call } = await callerWith('9001');
      const { headers, body } = await call(operation, { IdFactura: '9001' });
      expect(body).toMatchObject({ Resultado: { Exito: true }, IdFactura: '9001' });
      expect(headers['X-RateLimit-Limit']).toBe('30');
    },
  );
});

describe('an id that is a number', () => {
  it.each([
    ['9001', '9001'],
    ['0', '0'],
    ['9001.0', '9001'],
    [LARGEST, LARGEST],
  ])('is the id of its digits: %s', async (written, id) => {
    const { withId, inBatch } = await callerWith(id);
    for (const operation of BY_ID) {
      const { body } = await withId(operation, written);
      expect(body.Resultado.Exito).toBe(true);
      expect(body['IdFactura'] ?? id).toBe(id);
    }
    const { body } = await inBatch(written);
    expect(body).toMatchObject({ Resultados: [{ IdFactura: id, Exito: true }] });
  });

  // All of these are 9001, 1 or the largest safe number when a float is made of them, or are shown like that.
  it.each([
    '9001.5',
    '9001.0000000000000001',
    '9.001e3',
    '-9001',
    '-0',
    '9007199254740991.3',
    '9007199254740992',
    '9007199254740993',
    '1e400',
    'true',
    'null',
    '{}',
  ])('is refused when it is no whole number from 0 to 2^53 - 1: %s', async (written) => {
    const { withId, inBatch } = await callerWith('0', '1', '9001', LARGEST, '9007199254740992');
    const fault = 'debe ser un texto de dígitos o un número entero de 0 a 9007199254740991.';
    for (const operation of BY_ID) {
      const message = `Los datos no son válidos. IdFactura ${fault}`;
      expect(errorOf(await withId(operation, written))).toEqual([200, 'VALIDATION_ERROR', message]);
    }
    const message = `Los datos no son válidos. Declaraciones[1].IdFactura ${fault}`;
    expect(errorOf(await inBatch('9001', written))).toEqual([200, 'VALIDATION_ERROR', message]);
  });
});
