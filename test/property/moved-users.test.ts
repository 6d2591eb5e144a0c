import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caller } from '../../lib/access/access-rules.ts';
import type { AccessSnapshot } from '../../lib/domain/directory.ts';
import type { PortalMiddleware } from '../../lib/http/chain.ts';
import { loadAccess, requireValidKey } from '../../lib/http/check-access.ts';
import { readEndpointData, startPrefetch } from '../../lib/http/prefetch.ts';
import { buildRequestState } from '../support/service/request-state.ts';

const session = { tokensNotBeforeMs: 0 };
const SUPPLIERS = ['10', '20'] as const;

/** Runs a middleware with a state, as the chain does. Returns the new state. */
async function runMiddleware<State extends object, Adds>(middleware: PortalMiddleware<never, Adds>, state: State) {
  await (middleware.before as (request: object) => unknown)({ event: { state } });
  return state as State & Adds;
}

it('a response contains only data of the supplier in the snapshot, in any order of reads and moves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...SUPPLIERS, null),
      fc.array(fc.constantFrom(...SUPPLIERS), { maxLength: 3 }),
      fc.boolean(),
      async (scheduler, supplierOfToken, moves, canPrefetch) => {
        let current: string = supplierOfToken ?? SUPPLIERS[0];
        const schedule = <Result>(call: string, work: () => Result) =>
          scheduler.schedule(Promise.resolve(), call).then(work);
        const reads: string[] = [];
        const read = ({ supplierId }: { supplierId: string }) =>
          schedule('read', () => {
            reads.push(supplierId);
            return supplierId;
          });
        const ports = {
          directory: {
            readSnapshot: () =>
              schedule(
                'snapshot',
                () => ({ apiKey: null, supplier: { supplierId: current } }) as unknown as AccessSnapshot,
              ),
          },
          limiter: {
            isKnownFull: () => !canPrefetch,
            count: async () => ({ kind: 'allowed', status: { limit: 30, remaining: 29, resetAt: 0 } }) as const,
          },
          validKeys: { get: () => true as const, set: () => {}, remove: () => {} },
        };
        const moveUser = async () => {
          for (const supplier of moves) await schedule('move', () => (current = supplier));
        };
        const sendRequest = async () => {
          const identity = { tenant: 't.example', userId: '1', companyId: '5', supplierId: supplierOfToken };
          const initial = { ...buildRequestState({}), identity, session, apiKeyHash: '', parsed: { input: {} } };
          const checked = await runMiddleware(requireValidKey(ports), initial);
          const prefetched = await runMiddleware(startPrefetch('read', ports.limiter, { read }), checked);
          const loaded = await runMiddleware(loadAccess('read', ports), prefetched);
          const scope = { tenant: 't.example', supplierId: loaded.snapshot.supplier?.supplierId ?? '' };
          const caller = { userId: '1', scope } as Caller;
          const completed = await runMiddleware(readEndpointData({ read }), { ...loaded, caller, input: {} });
          expect(completed.found).toBe(scope.supplierId);
        };
        await scheduler.waitFor(Promise.all([sendRequest(), moveUser()]));
        expect(reads.length).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 500 },
  );
});
