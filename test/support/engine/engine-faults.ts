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
export type FaultKind = DelayKind | keyof typeof onlyOf | 'close-connection' | 'lose-response' | 'error' | 'throttle';

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
  askEngine: (input: object) => Promise<EngineResponse>,
): Promise<EngineResponse> {
  switch (how) {
    case 'error':
      // With something in it that no client may see.
      return refusal(500, 'InternalServerError', 'secret detail of the engine');
    case 'throttle':
      return refusal(400, 'ProvisionedThroughputExceededException', 'The level is exceeded.');
    case 'conflict':
      return cancelled(input, 'TransactionConflict', 'Transaction is ongoing for the item');
    case 'throttled-item':
      return cancelled(input, 'ThrottlingError', 'Throughput exceeds the current capacity of your table or index.');
    case 'unprocessed':
      return { status: 200, body: { Responses: {}, UnprocessedKeys: (input as BatchGet).RequestItems } };
    case 'half-unprocessed':
      return halfProcessed(input as BatchGet, askEngine);
    case 'close-connection':
    case 'lose-response':
    case 'delay-request':
    case 'delay-response':
    case undefined:
      return askEngine(input);
  }
}

async function halfProcessed(
  input: BatchGet,
  askEngine: (input: object) => Promise<EngineResponse>,
): Promise<EngineResponse> {
  const someKeys = (pick: (keys: readonly unknown[], half: number) => readonly unknown[]) => {
    const tables = Object.entries(input.RequestItems).map(([table, { Keys, ...how }]) => {
      return [table, { ...how, Keys: pick(Keys, Math.ceil(Keys.length / 2)) }] as const;
    });
    return Object.fromEntries(tables.filter(([, { Keys }]) => Keys.length > 0));
  };
  const asked = { ...input, RequestItems: someKeys((keys, half) => keys.slice(0, half)) };
  const { status, body } = await askEngine(asked);
  return { status, body: { ...body, UnprocessedKeys: someKeys((keys, half) => keys.slice(half)) } };
}

/**
 * The answer to a transaction that fails because of its first item; the embedded engine gives it for failed conditions
 * only.
 */
function cancelled(input: object, Code: string, Message: string): EngineResponse {
  const [, ...others] = (input as { TransactItems: unknown[] }).TransactItems;
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${Code}]`;
  const { status, body } = refusal(400, 'TransactionCanceledException', message);
  const reasons = [{ Code, Message }, ...others.map(() => ({ Code: 'None' }))];
  return { status, body: { ...body, CancellationReasons: reasons } };
}

function refusal(status: number, type: string, message: string): EngineResponse {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message } };
}
