import { describe, expect, it } from 'vitest';
import { PORTAL_POLICIES } from '../../../lib/access/policies.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';
const LIMIT = PORTAL_POLICIES.read.limit;

const portal = useWatchedPortal();

/** Reads once: how many reads are left then. The limit itself means that this one was not counted. */
async function read(call: Invoke): Promise<{ status: number; remaining: number }> {
  const { status, headers } = await call('get-invoice', { path });
  return { status, remaining: Number(headers['X-RateLimit-Remaining']) };
}

async function remainingAfterEach(reads: number, call: Invoke, prepare: () => void): Promise<number[]> {
  const left: number[] = [];
  for (let made = 0; made < reads; made++) {
    prepare();
    left.push((await read(call)).remaining);
  }
  return left;
}

const countedDown = (reads: number) => Array.from({ length: reads }, (_, index) => LIMIT - 1 - index);

describe('a request is counted once', () => {
  it('when the connections have died in an idle time', async () => {
    const { call } = await portal.newCaller();
    await read(call);
    const left = await remainingAfterEach(3, call, () => portal.proxy.killConnections());
    expect([LIMIT - 1, ...left]).toEqual(countedDown(4));
  });

  it.each(['close-connection', 'lose-response'] as const)(
    'when its first attempt is lost (%s) [limits/sliding-window]',
    async (how) => {
      const { call } = await portal.newCaller();
      const left = await remainingAfterEach(3, call, () => {
        portal.proxy.injectFault({ how, table: 'RateCounters', times: 1 });
      });
      expect(left).toEqual(countedDown(3));
    },
  );

  it('even when no answer comes: it goes on without knowing how many are left', async () => {
    const { call } = await portal.newCaller();
    const takeBack = portal.proxy.injectFault({ how: 'lose-response', table: 'RateCounters' });
    expect(await read(call)).toEqual({ status: 404, remaining: LIMIT });
    expect(portal.proxy.hits.get('lose-response')).toBe(2);
    takeBack();
    expect(await read(call)).toEqual({ status: 404, remaining: LIMIT - 2 });
  });
});
