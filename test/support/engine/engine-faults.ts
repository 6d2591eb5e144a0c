import type { TableName } from '../../../infra/routes.ts';

/**
 * Calls that a fault hits: all that it can happen to, or only those of one operation or table, or with a text in their
 * input.
 */
interface FaultyCalls {
  readonly operation?: string;
  readonly table?: TableName;
  readonly mentioning?: string;
  /** How many of them it hits before it is over. */
  readonly times?: number;
  /** The share of them that it hits, by chance; the shares of faults that can hit the same call add up. */
  readonly share?: number;
}

/**
 * What a fault does to a call. `refuse`: the connection ends before the engine hears of the call. `lose-answer`: it
 * ends after the engine has done it. `deliver-late`: the call is held back before the engine gets it, which it does
 * even when nobody waits any more. `answer-late`: the answer is held back. `error`, `throttle`: the engine refuses the
 * call, with a 500 or for its load. `conflict`, `throttled-item`: it cancels a transaction because of its first item.
 * `unprocessed`, `half-unprocessed`: it reads none or half of the keys of a batch.
 */
export type FaultKind = LateKind | keyof typeof onlyOf | 'refuse' | 'lose-answer' | 'error' | 'throttle';

/** The faults that hold something back. */
export type LateKind = 'deliver-late' | 'answer-late';

/** Calls that fail, and how; a late one waits each time for what `wait` gives. */
export type Fault = FaultyCalls &
  ({ readonly how: Exclude<FaultKind, LateKind> } | { readonly how: LateKind; readonly wait: () => Promise<unknown> });

/** A call as faults look at it; `text` is its whole input. */
export interface FaultyCall {
  readonly operation: string;
  readonly tables: readonly TableName[];
  readonly text: string;
}

const onlyOf = {
  conflict: 'TransactWriteItems',
  'throttled-item': 'TransactWriteItems',
  unprocessed: 'BatchGetItem',
  'half-unprocessed': 'BatchGetItem',
} as const;

/** Makes an empty list of faults; of those that can hit a call, `random` says which one does. */
export function createFaults(random: () => number) {
  const hits = new Map<FaultKind, number>();
  const left = new Map<Fault, number>();
  return {
    /** How many calls each kind has hit. */
    hits: hits as ReadonlyMap<FaultKind, number>,
    /** Adds a fault; what it returns takes it back. */
    add(fault: Fault) {
      left.set(fault, fault.times ?? Number.POSITIVE_INFINITY);
      return () => void left.delete(fault);
    },
    /** The fault that hits this call. */
    hit(call: FaultyCall): Fault | undefined {
      let draw = random();
      for (const [fault, times] of left) {
        if (times <= 0 || !canHit(fault, call)) continue;
        draw -= fault.share ?? 1;
        if (draw >= 0) continue;
        left.set(fault, times - 1);
        hits.set(fault.how, (hits.get(fault.how) ?? 0) + 1);
        return fault;
      }
      return undefined;
    },
    clear() {
      left.clear();
      hits.clear();
    },
  };
}

function canHit({ how, operation, table, mentioning = '' }: Fault, call: FaultyCall): boolean {
  const possible = how in onlyOf ? onlyOf[how as keyof typeof onlyOf] : call.operation;
  return (
    possible === call.operation &&
    (operation ?? call.operation) === call.operation &&
    (table === undefined || call.tables.includes(table)) &&
    call.text.includes(mentioning)
  );
}
