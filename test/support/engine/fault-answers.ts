import type { FaultKind } from './engine-faults.ts';

/** An answer of DynamoDB. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: object;
}

interface BatchGet {
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly unknown[] }>>;
}

/** What a call with this input is answered: what the fault makes of it, or what the engine says. */
export async function faultyAnswer(
  how: FaultKind | undefined,
  input: object,
  askEngine: (input: object) => Promise<EngineAnswer>,
): Promise<EngineAnswer> {
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
    case 'refuse':
    case 'lose-answer':
    case 'deliver-late':
    case 'answer-late':
    case undefined:
      return askEngine(input);
  }
}

async function halfProcessed(
  input: BatchGet,
  askEngine: (input: object) => Promise<EngineAnswer>,
): Promise<EngineAnswer> {
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
function cancelled(input: object, Code: string, Message: string): EngineAnswer {
  const [, ...others] = (input as { TransactItems: unknown[] }).TransactItems;
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${Code}]`;
  const { status, body } = refusal(400, 'TransactionCanceledException', message);
  const reasons = [{ Code, Message }, ...others.map(() => ({ Code: 'None' }))];
  return { status, body: { ...body, CancellationReasons: reasons } };
}

function refusal(status: number, type: string, message: string): EngineAnswer {
  return { status, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message } };
}
