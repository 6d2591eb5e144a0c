import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { validateAmountContract } from '../../../lib/contracts/validate-amount.ts';
import { declareInvoice, validateAmount } from '../../../lib/contracts/validators.generated.js';
import type { RequestState } from '../../../lib/endpoints/endpoint.ts';
import {
  type AccessPorts,
  activeUser,
  apiKey,
  openSession,
  rateLimit,
  readAccess,
  supplierPermission,
} from '../../../lib/http/access.ts';
import { answerHeaders } from '../../../lib/http/answer-headers.ts';
import { adding, typedChain } from '../../../lib/http/chain.ts';
import { jwt, tenant } from '../../../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../../../lib/http/envelope.ts';
import { input, queryParameters } from '../../../lib/http/input.ts';
import { jsonBody } from '../../../lib/http/json-body.ts';
import { requestLog, requestState } from '../../../lib/http/request.ts';
import { unicodeText } from '../../../lib/http/unicode-text.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal'));

const begun = () =>
  typedChain(middy())
    .use(requestState('test'))
    .use(requestLog())
    .use(answerHeaders(null))
    .use(envelope())
    .use(unexpectedErrors());
const token = jwt(() => Promise.reject(new Error('no key')));
const access = readAccess('read', {} as AccessPorts);

const event = {
  requestContext: { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } },
} as unknown as APIGatewayProxyEvent;
const context = { getRemainingTimeInMillis: () => 10_000 } as Context;

describe('a chain', () => {
  it('compiles only where each middleware comes after those that add what it needs', () => {
    const read = begun().use(tenant()).use(token).use(access);
    const user = read.use(apiKey()).use(activeUser());
    user.use(openSession()).use(rateLimit()).use(supplierPermission());
    // @ts-expect-error: every middleware needs the state of the request
    typedChain(middy()).use(requestLog());
    // @ts-expect-error: the token is checked against the tenant
    begun().use(token);
    // @ts-expect-error: the access rules need whom the token speaks for
    begun().use(tenant()).use(access);
    // @ts-expect-error: the order is wrong
    begun().use(tenant()).use(access).use(token);
    // @ts-expect-error: nothing has been read that the key could be judged by
    begun().use(tenant()).use(token).use(apiKey());
    // @ts-expect-error: the endpoint needs an input, and nobody reads it
    begun().handler(async (request) => ({ data: { input: request.input } }));
  });

  it('compiles only where no middleware is left out whose lack nothing else would show', () => {
    const state = typedChain(middy()).use(requestState('test'));
    // @ts-expect-error: without a log line
    state.use(answerHeaders(null));
    // @ts-expect-error: without headers
    state.use(requestLog()).use(envelope());
    // @ts-expect-error: without an envelope
    state.use(requestLog()).use(answerHeaders(null)).use(unexpectedErrors());
    // @ts-expect-error: with the cause of an unexpected error for everybody to read
    state.use(requestLog()).use(answerHeaders(null)).use(envelope()).use(tenant());
    const read = begun().use(tenant()).use(token).use(access);
    // @ts-expect-error: without an API key
    read.use(activeUser());
    const user = read.use(apiKey()).use(activeUser());
    // @ts-expect-error: with a session that may have ended
    user.use(rateLimit());
    // @ts-expect-error: without a limit
    user.use(openSession()).use(supplierPermission());
    // @ts-expect-error: with text that may be no Unicode
    expect(() => begun().use(jsonBody())).not.toThrow();
  });

  it('compiles only where the validator is that of the contract, and its source has been read', () => {
    input(validateAmountContract, validateAmount);
    // @ts-expect-error: what declare takes, validate takes too, but the validator is another
    input(validateAmountContract, declareInvoice);
    // @ts-expect-error: the other way round
    input(declareInvoiceContract, validateAmount);
    const check = input(validateAmountContract, validateAmount);
    begun().use(unicodeText()).use(jsonBody()).use(check);
    // @ts-expect-error: the input is in the body, and the query was read
    begun().use(unicodeText()).use(queryParameters(listInvoicesContract)).use(check);
    expect([declareInvoice.contract, validateAmount.contract]).toEqual(['declare-invoice', 'validate-amount']);
  });

  it('gives each middleware and the endpoint what the earlier ones have added', async () => {
    const handler = begun()
      .use(adding<RequestState, { first: number }>(() => ({ first: 1 })))
      .use(
        adding<RequestState & { first: number }, { second: number }>(async ({ event: { state } }) => ({
          second: state.first + 1,
        })),
      )
      .handler(async ({ first, second, requestId }) => ({ data: { first, second, requestId } }));
    const { statusCode, body } = await handler(event, context);
    expect([statusCode, JSON.parse(body)]).toEqual([
      200,
      { success: true, data: { first: 1, second: 2, requestId: 'request-1' }, meta: {} },
    ]);
  });
});
