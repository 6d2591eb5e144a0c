import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { dateForms } from '../../../lib/domain/texts.ts';
import { buildAuthorization, readError, createLegacyCaller } from '../../support/legacy/legacy.ts';
import type { LegacyResponse } from '../../support/answers/answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { proves } from '../../rules/proves.ts';

const portal = useWatchedPortal();

const declaration = { IdFactura: '4711', Importe: 1 };
const detail = { IdFactura: '4711' };
const NOT_FOUND = [200, 'NOT_FOUND', 'La factura no existe.'];

async function createCaller(invoices: readonly Parameters<typeof buildInvoice>[0][] = []) {
  const account = await seedAccount(portal.engine);
  await seedInvoices(
    portal.engine,
    account.scope,
    invoices.map((invoice) => buildInvoice(invoice)),
  );
  return { account, call: createLegacyCaller(portal.invoke, account) };
}

const buildError = (error: string) => [200, 'VALIDATION_ERROR', `Los datos no son válidos. ${error}`];

const invalidFields = {
  Observaciones: 7,
  NumeroFactura: 'x'.repeat(LIMITS.invoiceNumberLength + 1),
  FechaFactura: 'ayer',
  PorcentajeImpuesto: 101,
};
it.each([
  [
    'WSDeclararFactura',
    { IdFactura: '12a', Importe: '1', ...invalidFields },
    `IdFactura debe tener solo dígitos. Importe debe ser un número. Observaciones debe ser un texto. NumeroFactura no debe tener más de 60 caracteres. FechaFactura debe ser ${dateForms.es}. PorcentajeImpuesto debe ser <= 100.`,
  ],
  [
    'WSDeclararFacturas',
    { Declaraciones: [declaration, 7, { IdFactura: null, Importe: -1 }] },
    'Declaraciones[1] debe ser un objeto. Declaraciones[2].IdFactura debe ser un texto de dígitos o un número entero de 0 a 9007199254740991.',
  ],
  ['WSDeclararFactura', declaration, 'IdFactura: una factura liquidada (LIQ) no puede declararse.'],
])('invalid data returns VALIDATION_ERROR with the legacy field names: %s %j', async (operation, fields, error) => {
  const { call } = await createCaller([{ invoiceId: '4711', state: 'LIQ' }]);
  expect(readError(await call(operation, fields))).toEqual(buildError(error));
});

it('a reversed date range returns INVALID_DATE_RANGE', async () => {
  const { call } = await createCaller();
  const reversed = { FechaDesde: '2026-03-31', FechaHasta: '2026-03-01' };
  expect(readError(await call('WSListarFacturas', reversed))).toEqual([
    200,
    'INVALID_DATE_RANGE',
    `El rango de fechas no es válido: cada fecha debe ser ${dateForms.es}, FechaHasta no anterior a FechaDesde y el rango de ${LIMITS.rangeDays} días como máximo.`,
  ]);
});

it.each([
  ['malformed JSON', '{', 'body debe ser un JSON válido.'],
  ['a body that is too large', ' '.repeat(2 ** 20 + 1), 'body no debe superar los 1048576 bytes.'],
  ['the reserved key __proto__', '{"__proto__": {"Importe": 1}}', '__proto__ es un nombre reservado.'],
  ['a repeated name', '{"Importe": 1, "Importe": 2}', 'Importe debe enviarse una vez, como un valor.'],
])('a request with %s returns VALIDATION_ERROR', async (_what, body, error) => {
  proves('legacy-dispatch/WSAutorizacion');
  const { call } = await createCaller();
  expect(readError(await call('WSObtenerFactura', detail, { body }))).toEqual(buildError(error));
});

it('a missing invoice and one of another supplier return the same NOT_FOUND in every operation, and nothing changes', async () => {
  proves('service/rule-1', 'service/rule-4/data');
  const { account, call } = await createCaller();
  const colleague = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
  await seedInvoices(portal.engine, colleague.scope, [buildInvoice({ invoiceId: '4712' })]);
  for (const operation of ['WSObtenerFactura', 'WSDeclararFactura', 'WSValidarFactura']) {
    // No invoice has an id of more than 20 digits.
    for (const IdFactura of ['4711', '4712', '1'.repeat(21)])
      expect(readError(await call(operation, { ...declaration, IdFactura }))).toEqual(NOT_FOUND);
  }
  const stored = await readStoredInvoices(portal.engine, colleague.scope);
  expect(stored.get('4712')).toMatchObject({ version: 1, state_code: 'PEN' });
});

it('an unknown operation returns 404 with a Resultado for any body, without a call to a table', async () => {
  proves('legacy-dispatch/route', 'codes/NOT_FOUND/path');
  const { call } = await createCaller();
  portal.proxy.reset();
  for (const operation of ['WSNada', 'constructor', '__proto__', 'toString', '\uFFFD', '']) {
    for (const body of ['{', JSON.stringify(detail)]) {
      expect(readError(await call(operation, {}, { body }))).toEqual([404, 'NOT_FOUND', 'La operación no existe.']);
    }
  }
  expect(portal.proxy.calls).toEqual([]);
});

const NOT_VERIFIED = 'No se pudo verificar al usuario en este momento. Vuelva a intentarlo en unos segundos.';
it.each([
  ['Invoices', 'error', [500, 'INTERNAL_ERROR', 'Se produjo un error inesperado.']],
  ['Directory', 'close-connection', [503, 'SERVICE_UNAVAILABLE', NOT_VERIFIED]],
] as const)(
  'a failure of the table %s returns a Resultado that does not reveal its cause',
  async (table, how, expectedError) => {
    const { account, call } = await createCaller();
    portal.proxy.injectFault({ table, how });
    const response = await call('WSObtenerFactura', detail);
    expect(readError(response)).toEqual(expectedError);
    expectNoSecrets(response, account);
  },
);

it('an error Resultado contains no credentials, no sent values and no names of the current interface', async () => {
  const { account, call } = await createCaller();
  const fields = { IdFactura: 'secret-1', Importe: 'secret-2' };
  const responses = [
    await call('WSDeclararFactura', fields),
    await call('WSDeclararFacturas', { Declaraciones: [{ ...fields, IdFactura: '1' }] }),
    await call('WSDeclararFactura', fields, { authorization: { Password: `x${account.password}` } }),
    await call('WSDeclararFactura', fields, { authorization: { Guid: `x${account.apiKey}` } }),
  ];
  for (const response of responses) expectNoSecrets(response, account);
});

function expectNoSecrets({ headers, body }: LegacyResponse, account: Account): void {
  const text = JSON.stringify([headers, body]);
  for (const secret of Object.values(buildAuthorization(account))) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/secret|engine|dynamo|invoice|amount|declarations/i);
}
