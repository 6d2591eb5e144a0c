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
 * What a fault does to a call. `close-connection`: the connection ends before the engine hears of the call. `lose-response`: it
 * ends after the engine has done it. `delay-request`: the call is held back before the engine gets it, which it does
 * even when nobody waits any more. `delay-response`: the answer is held back. `error`, `throttle`: the engine refuses the
 * call, with a 500 or for its load. `conflict`, `throttled-item`: it cancels a transaction because of its first item.
 * `unprocessed`, `half-unprocessed`: it reads none or half of the keys of a batch.
 */
export type FaultKind =
  DelayKind | keyof typeof ONLY_OPERATION | 'close-connection' | 'lose-response' | 'error' | 'throttle';

/** The faults that hold something back. */
export type DelayKind = 'delay-request' | 'delay-response';

/** Calls that fail, and how; a late one waits each time for what `wait` gives. */
export type Fault = FaultyCalls &
  (
    { readonly how: Exclude<FaultKind, DelayKind> } | { readonly how: DelayKind; readonly wait: () => Promise<unknown> }
  );

/** A call as faults look at it; `text` is its whole input. */
export interface FaultyCall {
  readonly operation: string;
  readonly tables: readonly TableName[];
  readonly text: string;
}

const ONLY_OPERATION = {
  conflict: 'TransactWriteItems',
  'throttled-item': 'TransactWriteItems',
  unprocessed: 'BatchGetItem',
  'half-unprocessed': 'BatchGetItem',
} as const;

/** Makes an empty list of faults; of those that can hit a call, `random` says which one does. */
export function createFaults(random: () => number) {
  const hits = new Map<FaultKind, number>();
  const remaining = new Map<Fault, number>();
  return {
    /** How many calls each kind has hit. */
    hits: hits as ReadonlyMap<FaultKind, number>,
    /** Adds a fault; what it returns takes it back. */
    add(fault: Fault) {
      remaining.set(fault, fault.times ?? Number.POSITIVE_INFINITY);
      return () => void remaining.delete(fault);
    },
    /** The fault that hits this call. */
    drawFault(call: FaultyCall): Fault | undefined {
      let draw = random();
      for (const [fault, times] of remaining) {
        if (times <= 0 || !canHit(fault, call)) continue;
        draw -= fault.share ?? 1;
        if (draw >= 0) continue;
        remaining.set(fault, times - 1);
        hits.set(fault.how, (hits.get(fault.how) ?? 0) + 1);
        return fault;
      }
      return undefined;
    },
    clear() {
      remaining.clear();
      hits.clear();
    },
  };
}

function canHit({ how, operation, table, mentioning = '' }: Fault, call: FaultyCall): boolean {
  const faultOperation = how in ONLY_OPERATION ? ONLY_OPERATION[how as keyof typeof ONLY_OPERATION] : call.operation;
  return (
    faultOperation === call.operation &&
    (operation ?? call.operation) === call.operation &&
    (table === undefined || call.tables.includes(table)) &&
    call.text.includes(mentioning)
  );
}

/** An answer of DynamoDB. */
export interface EngineResponse {
  readonly status: number;
  readonly body: object;
}

interface BatchGet {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly unknown[] }>>;
}

/** What a call with this input is answered: what the fault makes of it, or what the engine says. */
export async function respondWithFault(
  how: FaultKind | undefined,
  input: object,
  callEngine: (input: object) => Promise<EngineResponse>,
): Promise<EngineResponse> {
  switch (how) {
    case 'error':
      // With something in it that no client may see.
      return buildError(500, 'InternalServerError', 'secret detail of the engine');
    case 'throttle':
      return buildError(400, 'ProvisionedThroughputExceededException', 'The level is exceeded.');
    case 'conflict':
      return buildCancellation(input, 'TransactionConflict', 'Transaction is ongoing for the item');
    case 'throttled-item':
      return buildCancellation(
        input,
        'ThrottlingError',
        'Throughput exceeds the current capacity of your table or index.',
      );
    case 'unprocessed':
      return { status: 200, body: { Responses: {}, UnprocessedKeys: (input as BatchGet).RequestItems } };
    case 'half-unprocessed':
      return processHalf(input as BatchGet, callEngine);
    case 'close-connection':
    case 'lose-response':
    case 'delay-request':
    case 'delay-response':
    case undefined:
      return callEngine(input);
  }
}

async function processHalf(
  input: BatchGet,
  callEngine: (input: object) => Promise<EngineResponse>,
): Promise<EngineResponse> {
  const selectKeys = (pick: (keys: readonly unknown[], half: number) => readonly unknown[]) => {
    const tables = Object.entries(input.RequestItems).map(([table, { Keys, ...options }]) => {
      return [table, { ...options, Keys: pick(Keys, Math.ceil(Keys.length / 2)) }] as const;
    });
    return Object.fromEntries(tables.filter(([, { Keys }]) => Keys.length > 0));
  };
  const firstHalf = { ...input, RequestItems: selectKeys((keys, half) => keys.slice(0, half)) };
  const { status, body } = await callEngine(firstHalf);
  return { status, body: { ...body, UnprocessedKeys: selectKeys((keys, half) => keys.slice(half)) } };
}

/**
 * The answer to a transaction that fails because of its first item; the embedded engine gives it for failed conditions
 * only.
 */
function buildCancellation(input: object, Code: string, Message: string): EngineResponse {
  const [, ...others] = (input as { TransactItems: unknown[] }).TransactItems;
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${Code}]`;
  const { status, body } = buildError(400, 'TransactionCanceledException', message);
  const reasons = [{ Code, Message }, ...others.map(() => ({ Code: 'None' }))];
  return { status, body: { ...body, CancellationReasons: reasons } };
}

function buildError(status: number, type: string, message: string): EngineResponse {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message } };
}
