import { describe, expect, it } from 'vitest';
import { PORTAL_POLICIES } from '../../../lib/domain/policies.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';
const LIMIT = PORTAL_POLICIES.read.limit;

const portal = useWatchedPortal();

/** Reads an invoice, and returns how many reads remain. The full limit means that the count is unknown. */
async function readInvoice(call: Invoke): Promise<{ status: number; remaining: number }> {
  const { status, headers } = await call('get-invoice', { path });
  return { status, remaining: Number(headers['X-RateLimit-Remaining']) };
}

async function listRemaining(reads: number, call: Invoke, prepare: () => void): Promise<number[]> {
  const remaining: number[] = [];
  for (let made = 0; made < reads; made++) {
    prepare();
    remaining.push((await readInvoice(call)).remaining);
  }
  return remaining;
}

const listExpected = (reads: number) => Array.from({ length: reads }, (_, index) => LIMIT - 1 - index);

describe('a request is counted once', () => {
  it('a request is counted once if the connections were closed while they were idle', async () => {
    const { call } = await portal.newCaller();
    await readInvoice(call);
    const remaining = await listRemaining(3, call, () => portal.proxy.killConnections());
    expect([LIMIT - 1, ...remaining]).toEqual(listExpected(4));
  });

  it.each(['close-connection', 'lose-response'] as const)(
    'a request is counted once if the first attempt to count it is lost (%s)',
    async (how) => {
      proves('limits/sliding-window');
      const { call } = await portal.newCaller();
      const remaining = await listRemaining(3, call, () => {
        portal.proxy.injectFault({ how, table: 'RateCounters', times: 1 });
      });
      expect(remaining).toEqual(listExpected(3));
    },
  );

  it('a request is counted once if the counter never responds, and continues with an unknown count', async () => {
    const { call } = await portal.newCaller();
    const endFault = portal.proxy.injectFault({ how: 'lose-response', table: 'RateCounters' });
    expect(await readInvoice(call)).toEqual({ status: 404, remaining: LIMIT });
    expect(portal.proxy.hits.get('lose-response')).toBe(3);
    endFault();
    expect(await readInvoice(call)).toEqual({ status: 404, remaining: LIMIT - 2 });
  });
});
