import middy from '@middy/core';
import { describe, expect, it, vi } from 'vitest';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { validateAmountContract } from '../../../lib/contracts/validate-amount.ts';
import { declareInvoice, validateAmount } from '../../../lib/contracts/validators.generated.js';
import type { AccessPorts } from '../../../lib/http/access.ts';
import { typedChain } from '../../../lib/http/chain.ts';
import * as http from '../../../lib/http/middleware.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal'));

const begun = () =>
  typedChain(middy())
    .use(http.requestState('test'))
    .use(http.requestLog())
    .use(http.answerHeaders(null))
    .use(http.envelope())
    .use(http.unexpectedErrors());
const token = http.jwt(() => Promise.reject(new Error('no key')));
const access = http.readAccess('read', {} as AccessPorts);

describe('a chain', () => {
  it('compiles only where each middleware has what it needs, and none is left out whose lack nothing else would show', () => {
    const state = typedChain(middy()).use(http.requestState('test'));
    const read = begun().use(http.tenant()).use(token).use(access);
    const user = read.use(http.apiKey()).use(http.activeUser());
    user.use(http.openSession()).use(http.rateLimit()).use(http.supplierPermission());
    // @ts-expect-error: every middleware needs the state of the request
    typedChain(middy()).use(http.requestLog());
    // @ts-expect-error: the token is checked against the tenant
    begun().use(token);
    // @ts-expect-error: the order is wrong, and the access rules need whom the token speaks for
    begun().use(http.tenant()).use(access).use(token);
    // @ts-expect-error: nothing has been read that the key could be judged by
    begun().use(http.tenant()).use(token).use(http.apiKey());
    // @ts-expect-error: the endpoint needs an input, and nobody reads it
    begun().handler(async (request) => ({ data: { input: request.input } }));
    // @ts-expect-error: without a log line
    state.use(http.answerHeaders(null));
    // @ts-expect-error: without headers
    state.use(http.requestLog()).use(http.envelope());
    // @ts-expect-error: without an envelope
    state.use(http.requestLog()).use(http.answerHeaders(null)).use(http.unexpectedErrors());
    // @ts-expect-error: with the cause of an unexpected error for everybody to read
    state.use(http.requestLog()).use(http.answerHeaders(null)).use(http.envelope()).use(http.tenant());
    // @ts-expect-error: without an API key
    read.use(http.activeUser());
    // @ts-expect-error: with a session that may have ended
    user.use(http.rateLimit());
    // @ts-expect-error: without a limit
    user.use(http.openSession()).use(http.supplierPermission());
    // @ts-expect-error: with text that may be no Unicode
    expect(() => begun().use(http.jsonBody())).not.toThrow();
  });

  it('compiles only where the validator is that of the contract, and its source has been read', () => {
    http.input(validateAmountContract, validateAmount);
    // @ts-expect-error: what declare takes, validate takes too, but the validator is another
    http.input(validateAmountContract, declareInvoice);
    // @ts-expect-error: the other way round
    http.input(declareInvoiceContract, validateAmount);
    const check = http.input(validateAmountContract, validateAmount);
    begun().use(http.unicodeText()).use(http.jsonBody()).use(check);
    // @ts-expect-error: the input is in the body, and the query was read
    begun().use(http.unicodeText()).use(http.queryParameters(listInvoicesContract)).use(check);
    expect([declareInvoice.contract, validateAmount.contract]).toEqual(['declare-invoice', 'validate-amount']);
  });
});
