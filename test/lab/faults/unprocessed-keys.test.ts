import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ResponseBody } from '../../support/answers/answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const TIMEOUT_MS = 4_000;
const MAX_CALLS = 40;

const portal = useWatchedPortal();

/**
 * Declares three invoices of a new supplier in a batch. Returns the response, unless Lambda would end the request first,
 * and the number of reads.
 */
async function declareThree(): Promise<{ status: number | string; body?: ResponseBody; reads: number }> {
  const { account, call } = await portal.newCaller();
  const invoices = await seedInvoices(portal.engine, account.scope, [buildInvoice(), buildInvoice(), buildInvoice()]);
  const declarations = invoices.map(({ invoiceId }) => ({ invoice_id: invoiceId, amount: 1000 }));
  const endMs = performance.now() + TIMEOUT_MS;
  const remainingMs = () => endMs - performance.now();
  const pendingResponse = call('declare-batch', { body: { declarations }, remainingMs });
  const response = await Promise.race([pendingResponse, sleep(TIMEOUT_MS, { status: 'ended by Lambda' })]);
  const reads = portal.proxy.calls.filter(({ operation }) => operation === 'BatchGetItem').length;
  return { ...response, reads };
}

describe('keys that DynamoDB leaves unprocessed', () => {
  it.each([
    { table: 'Directory', status: 503, code: 'SERVICE_UNAVAILABLE' },
    { table: 'Invoices', status: 500, code: 'INTERNAL_ERROR' },
  ] as const)(
    'keys in $table that DynamoDB never processes are read again, but not endlessly: $status',
    { tags: 'long' },
    async ({ table, status, code }) => {
      portal.proxy.injectFault({ how: 'unprocessed', table });
      const { reads, ...response } = await declareThree();
      expect(reads).toBeGreaterThan(2);
      expect(reads).toBeLessThan(MAX_CALLS);
      expect(response).toMatchObject({ status, body: { error: { code } } });
    },
  );

  it.each([
    { how: 'unprocessed', table: 'Directory', times: 2 },
    { how: 'unprocessed', table: 'Invoices', times: 2 },
    { how: 'half-unprocessed', table: 'Directory', times: 3 },
    { how: 'half-unprocessed', table: 'Invoices', times: 2 },
  ] as const)('keys in $table that DynamoDB processes only later do not change the response ($how)', async (fault) => {
    portal.proxy.injectFault(fault);
    const { status, body } = await declareThree();
    expect(portal.proxy.hits.get(fault.how)).toBe(fault.times);
    expect([status, body?.data]).toMatchObject([200, { accepted: 3, rejected: 0 }]);
  });
});
