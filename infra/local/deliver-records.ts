import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamRecord } from '../../lib/events/history-records.ts';
import { jitteredMs } from '../../lib/runtime/attempts.ts';
import type { Outcome } from './local-function.ts';

const PAUSE = { firstMs: 100, longestMs: 5_000 };

/** How a function gets its records. */
export interface Delivery {
  readonly retryAttempts: number;
  readonly invoke: (event: { readonly Records: readonly StreamRecord[] }) => Promise<Outcome>;
  /** Takes a record for which no attempt is left. */
  readonly giveUp: (record: StreamRecord) => void;
  readonly signal: AbortSignal;
}

/**
 * Calls a function with records until it has done them all, as Lambda does with those of a stream: from the first one
 * that it names on, or, when it fails as a whole, with either half. A record alone is given up after the attempts.
 */
export async function deliver(delivery: Delivery, records: readonly StreamRecord[], failed = 0): Promise<void> {
  const { retryAttempts, invoke, giveUp, signal } = delivery;
  const [first, ...others] = records;
  if (first === undefined || signal.aborted) return;
  const done = doneOf(await invoke({ Records: records }), records);
  if (done === records.length) return;
  if (done > 0) return deliver(delivery, records.slice(done));
  if (others.length === 0 && failed >= retryAttempts) return giveUp(first);
  await sleep(jitteredMs(failed + 1, PAUSE), undefined, { signal }).catch(() => {});
  const half = Math.ceil(records.length / 2);
  await deliver(delivery, records.slice(0, half), failed + 1);
  await deliver(delivery, records.slice(half));
}

/** How many records, from the first on, a call has done. */
function doneOf(outcome: Outcome, records: readonly StreamRecord[]): number {
  if (!('result' in outcome)) return 0;
  const { batchItemFailures = [] } = (outcome.result ?? {}) as {
    batchItemFailures?: { itemIdentifier: string }[] | null;
  };
  const failed = new Set(batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  if (failed.size === 0) return records.length;
  return Math.max(
    0,
    records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? '')),
  );
}
