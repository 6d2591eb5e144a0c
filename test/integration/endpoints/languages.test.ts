import { expect, it } from 'vitest';
import type { Text } from '../../../lib/domain/language.ts';
import * as texts from '../../../lib/domain/texts.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();
const SPANISH = { 'accept-language': 'es-AR,es;q=0.9,en;q=0.8' };
const detail = { path: '/apidev/v1/supplier-portal/invoices/1001' };

/** Creates a caller with the invoice 1001, and the settled invoice 1002. */
async function createCaller() {
  const { account, call } = await portal.newCaller();
  const invoices = [buildInvoice({ invoiceId: '1001' }), buildInvoice({ invoiceId: '1002', state: 'LIQ' })];
  await seedInvoices(portal.engine, account.scope, invoices);
  return { account, call };
}

/** Returns the parts of a response that programs use, without the parts that differ between any two responses. */
function toProgramParts({ status, headers, body }: EndpointResponse) {
  const { message: _message, details, ...error } = body.error ?? {};
  const constraints = details?.map((field) => [field.property, Object.keys(field.constraints)]);
  return { status, headers: Object.keys(headers), data: body.data, error, constraints };
}

it.each<[CurrentName, TestRequest, Text | undefined]>([
  ['login', { headers: { tenant: undefined } }, texts.tenantRequired],
  ['get-invoice', { ...detail, headers: { authorization: undefined } }, texts.tokenInvalid],
  ['get-invoice', { path: `${detail.path}7` }, texts.invoiceNotFound],
  ['get-invoice', detail, undefined],
  ['list-invoices', { query: { limit: 101 } }, texts.invalidRequest('startdate, enddate, limit')],
])(
  'a message of %s %j is in the preferred language unless the interface specifies the message, and all else is equal',
  async (name, request, text) => {
    proves('error-envelope/message');
    const { call } = await createCaller();
    const spanish = await call(name, { ...request, headers: { ...SPANISH, ...request.headers } });
    const english = await call(name, request);
    expect([english.body.error?.message, spanish.body.error?.message]).toEqual([text?.en, text?.es]);
    expect(toProgramParts(spanish)).toEqual(toProgramParts(english));
  },
);

it('the errors of a batch, and of the fields of its items, are in the preferred language', async () => {
  proves('errors/rule-5', 'error-envelope/message');
  const { call } = await createCaller();
  const items = ['1001', '1002', '7', 'A1'].map((id) => ({ invoice_id: id, amount: 1 }));
  const { body } = await call('declare-batch', { headers: SPANISH, body: { declarations: items } });
  const digits = 'declarations[3].invoice_id debe tener solo dígitos';
  const buildInvalid = (index: number, constraints: object) => ({
    message: `Solicitud no válida: declarations[${index}].invoice_id.`,
    details: [{ constraints }],
  });
  expect(body.data.results).toMatchObject([
    { invoice_id: '1001', success: true },
    { error: buildInvalid(1, { state: texts.invoiceSettled.es }) },
    { error: { code: 'NOT_FOUND', message: texts.invoiceNotFound.es } },
    { error: buildInvalid(3, { pattern: digits }) },
  ]);
});
