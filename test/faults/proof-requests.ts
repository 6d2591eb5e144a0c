import { forEachConcurrent } from '../../lib/runtime/for-each-concurrent.ts';
import { foundOfRequest, writtenByRequest } from '../support/data/declared-by-request.ts';
import type { TestEngine } from '../support/engine/engine.ts';
import type { ProofSupplier } from './proof-suppliers.ts';

const LANES = 8;

/** The requests of which something else is found than they wrote, one sentence each. */
export async function requestViolations(engine: TestEngine, suppliers: readonly ProofSupplier[]): Promise<string[]> {
  const violations: string[] = [];
  await forEachConcurrent(suppliers, LANES, async ({ scope, invoiceIds }) => {
    for (const [requestId, written] of await writtenByRequest(engine, scope, invoiceIds)) {
      const found = textOf(await foundOfRequest(engine, requestId));
      if (found === textOf(written)) continue;
      violations.push(`request ${requestId}: it wrote ${textOf(written)}, and found is ${found}`);
    }
  });
  return violations;
}

function textOf(places: readonly string[]): string {
  return places.toSorted().join(', ');
}
