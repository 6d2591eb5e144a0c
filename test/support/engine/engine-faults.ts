import type { TableName } from '../../../infra/routes.ts';

/** A filter for the calls that a fault affects. By default, it affects all calls for which its kind is possible. */
interface FaultyCalls {
  readonly operation?: string;
  readonly table?: TableName;
  /** Text that the input of the call must contain. */
  readonly mentioning?: string;
  /** The number of calls after which the fault ends. */
  readonly times?: number;
  /** The probability that a call is affected. For faults that match the same call, the probabilities are added. */
  readonly share?: number;
}

/**
 * The effect of a fault on a call. `close-connection`: the connection ends before the engine receives the call.
 * `lose-response`: the connection ends after the engine has run the call. `delay-request`: the engine receives the call
 * later, even if the client has already timed out. `delay-response`: the client receives the response later. `error`,
 * `throttle`: the call fails with status 500 or is throttled. `conflict`, `throttled-item`: the first item with the
 * text of `mentioning` cancels the transaction. `unprocessed`, `half-unprocessed`: none or half of the keys of a batch
 * are read.
 */
export type FaultKind =
  DelayKind | keyof typeof ONLY_OPERATION | 'close-connection' | 'lose-response' | 'error' | 'throttle';

/** The faults that delay a request or a response. */
export type DelayKind = 'delay-request' | 'delay-response';

/** A simulated fault. A delayed call waits for the promise of `wait`. */
export type Fault = FaultyCalls &
  (
    { readonly how: Exclude<FaultKind, DelayKind> } | { readonly how: DelayKind; readonly wait: () => Promise<unknown> }
  );

/** The properties of a call that decide which faults affect it. `text` is its complete input. */
interface FaultyCall {
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

/** Creates an empty list of faults. `random` decides which of the faults that match a call affects it. */
export function createFaults(random: () => number) {
  const hits = new Map<FaultKind, number>();
  const remaining = new Map<Fault, number>();
  return {
    /** The number of affected calls for each kind of fault. */
    hits: hits as ReadonlyMap<FaultKind, number>,
    /** Adds a fault. Returns a function that removes it. */
    add(fault: Fault) {
      remaining.set(fault, fault.times ?? Number.POSITIVE_INFINITY);
      return () => void remaining.delete(fault);
    },
    /** Selects the fault that affects this call, and counts it. */
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

/** A response of DynamoDB. */
export interface EngineResponse {
  readonly status: number;
  readonly body: object;
}

interface BatchGet {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly unknown[] }>>;
}

/** Returns the response of the engine, or the response that the fault creates instead. */
export async function respondWithFault(
  fault: Fault | undefined,
  input: object,
  callEngine: (input: object) => Promise<EngineResponse>,
): Promise<EngineResponse> {
  switch (fault?.how) {
    case 'error':
      // The tests check that clients never see this text.
      return buildError(500, 'InternalServerError', 'secret detail of the engine');
    case 'throttle':
      return buildError(400, 'ProvisionedThroughputExceededException', 'The level is exceeded.');
    case 'conflict':
      return buildCancellation(input, fault, 'TransactionConflict', 'Transaction is ongoing for the item');
    case 'throttled-item':
      return buildCancellation(
        input,
        fault,
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

/** Builds the error of a transaction that one item cancels. The embedded engine has it only for conditions. */
function buildCancellation(input: object, { mentioning = '' }: Fault, Code: string, Message: string): EngineResponse {
  const items = (input as { TransactItems: object[] }).TransactItems;
  const cancelling = items.findIndex((item) => JSON.stringify(item).includes(mentioning));
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${Code}]`;
  const { status, body } = buildError(400, 'TransactionCanceledException', message);
  const reasons = items.map((_, index) => (index === cancelling ? { Code, Message } : { Code: 'None' }));
  return { status, body: { ...body, CancellationReasons: reasons } };
}

function buildError(status: number, type: string, message: string): EngineResponse {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message } };
}
