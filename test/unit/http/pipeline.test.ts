import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { declareInvoiceContract } from '../../../lib/contracts/declare-invoice.ts';
import { validateAmountContract } from '../../../lib/contracts/validate-amount.ts';
import { declareInvoice, validateAmount } from '../../../lib/contracts/validators.generated.js';
import { authenticate } from '../../../lib/http/authenticate.ts';
import { type AccessPorts, authorize } from '../../../lib/http/authorize.ts';
import { adding } from '../../../lib/http/middleware.ts';
import { pipeline } from '../../../lib/http/pipeline.ts';
import { readInput } from '../../../lib/http/read-input.ts';
import { requireTenant } from '../../../lib/http/require-tenant.ts';
import { envelopeFormat } from '../../../lib/http/response.ts';
import type { RequestState } from '../../../lib/http/request-state.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';

// The log line names the metrics' namespace, which a function has in its environment.
vi.hoisted(() => vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'SupplierPortal'));

const begun = () => pipeline({ name: 'test', policy: null, format: envelopeFormat, clock: systemClock });
const token = authenticate(() => Promise.reject(new Error('no key')), { issuer: 'i', audience: 'a' });
const access = authorize('read', {} as AccessPorts);

const event = {
  requestContext: { requestId: 'request-1', identity: { sourceIp: '192.0.2.1' } },
} as unknown as APIGatewayProxyEvent;
const context = { getRemainingTimeInMillis: () => 10_000 } as Context;

describe('a pipeline', () => {
  it('compiles only where each middleware comes after those that add what it needs', () => {
    begun().use(requireTenant()).use(token).use(access);
    // @ts-expect-error: the token is checked against the tenant
    begun().use(token);
    // @ts-expect-error: the access rules need whom the token speaks for
    begun().use(requireTenant()).use(access);
    // @ts-expect-error: the order is wrong
    begun().use(requireTenant()).use(access).use(token);
    // @ts-expect-error: the endpoint needs an input, and nobody reads it
    begun().handler(async ({ input }) => ({ data: { input } }));
  });

  it('compiles only where the validator is that of the contract', () => {
    readInput(validateAmountContract, validateAmount);
    // @ts-expect-error: what declare takes, validate takes too, but the validator is another
    readInput(validateAmountContract, declareInvoice);
    // @ts-expect-error: the other way round
    readInput(declareInvoiceContract, validateAmount);
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
