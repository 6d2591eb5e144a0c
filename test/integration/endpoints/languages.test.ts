import { describe, expect, it } from 'vitest';
import type { Text } from '../../../lib/domain/language.ts';
import * as texts from '../../../lib/domain/texts.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { tokenFor } from '../../support/service/tokens.ts';
import type { CurrentName, Invoke, TestRequest } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
const SPANISH = { 'accept-language': 'es-AR,es;q=0.9,en;q=0.8' };
const HOUR_MS = 3_600_000;

/** A new caller with the invoice 1001, and 1002, which is settled. */
async function newCaller() {
  const { account, call } = await portal.newCaller();
  const invoices = [anInvoice({ invoiceId: '1001' }), anInvoice({ invoiceId: '1002', state: 'LIQ' })];
  await seedInvoices(portal.engine, account.scope, invoices);
  return { account, call };
}

const inSpanish = <Name extends CurrentName>(call: Invoke, name: Name, request: TestRequest = {}) =>
  call(name, { ...request, headers: { ...SPANISH, ...request.headers } });

/** All of an answer that is for programs, but for what no two answers share. */
function forPrograms({ status, headers, body }: Answer) {
  const { message: _message, details, ...error } = body.error ?? {};
  const constraints = details?.map((fault) => [fault.property, Object.keys(fault.constraints)]);
  return { status, headers: Object.keys(headers), data: body.data, error, constraints };
}

const detail = { path: '/apidev/v1/supplier-portal/invoices/1001' };

describe('a message', () => {
  it.each<[CurrentName, TestRequest, Text | undefined]>([
    ['login', { headers: { tenant: undefined } }, texts.tenantRequired],
    ['get-invoice', { ...detail, headers: { authorization: undefined } }, texts.tokenInvalid],
    ['get-invoice', { path: `${detail.path}7` }, texts.invoiceNotFound],
    ['get-invoice', detail, undefined],
    ['list-invoices', { query: { limit: 101 } }, texts.invalidRequest('startdate, enddate, limit')],
  ])(
    'is in the language that the request prefers, if the interface does not word it, and all else is the same: %s %j [error-envelope/message]',
    async (name, request, text) => {
      const { call } = await newCaller();
      const spanish = await inSpanish(call, name, request);
      const english = await call(name, request);
      expect([english.body.error?.message, spanish.body.error?.message]).toEqual([text?.en, text?.es]);
      expect(forPrograms(spanish)).toEqual(forPrograms(english));
    },
  );

  it('of an expired token is that of the interface, in Spanish too [auth/rule-1/expired]', async () => {
    const { account, call } = await newCaller();
    const token = await tokenFor(account.reference, portal.signingKey, new Date(Date.now() - 2 * HOUR_MS));
    const answer = await inSpanish(call, 'get-invoice', { ...detail, headers: { authorization: `Bearer ${token}` } });
    expect(answer.body.error).toEqual({
      code: 'TOKEN_EXPIRED',
      message: 'the token has expired and a new login is needed',
    });
  });

  it('about each fault of a request is in Spanish, under the same names [error-envelope/message]', async () => {
    const { call } = await newCaller();
    const { body } = await inSpanish(call, 'declare-invoice', { body: { invoice_id: 'A1', amount: -1 } });
    expect(body.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Solicitud no válida: invoice_id, amount.',
      details: [
        { property: 'invoice_id', constraints: { pattern: 'invoice_id debe tener solo dígitos' } },
        { property: 'amount', constraints: { minimum: 'amount debe ser >= 0' } },
      ],
    });
    const unreadable = await inSpanish(call, 'login', { body: '{' });
    const constraints = { json: 'body debe ser un JSON válido' };
    expect(unreadable.body.error?.details).toEqual([{ property: 'body', constraints }]);
  });

  it('about an item of a batch is in Spanish [errors/rule-5] [error-envelope/message]', async () => {
    const { call } = await newCaller();
    const declarations = ['1001', '1002', '7'].map((id) => ({ invoice_id: id, amount: 1 }));
    const { body } = await inSpanish(call, 'declare-batch', { body: { declarations } });
    expect(body.data.results).toMatchObject([
      { invoice_id: '1001', success: true },
      {
        error: {
          message: 'Solicitud no válida: declarations[1].invoice_id.',
          details: [{ constraints: { state: texts.invoiceSettled.es } }],
        },
      },
      { error: { code: 'NOT_FOUND', message: texts.invoiceNotFound.es } },
    ]);
  });

  it('of the legacy route is in Spanish whoever asks', async () => {
    const { account } = await newCaller();
    const call = legacyCallsOf(portal.invoke, account);
    const answer = await call('WSObtenerFactura', { IdFactura: '7' }, { headers: { 'accept-language': 'en' } });
    expect(errorOf(answer)).toEqual([200, 'NOT_FOUND', 'La factura no existe.']);
  });
});
