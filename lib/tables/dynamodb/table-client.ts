import { type ConsumedCapacity, DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeadlineError, getCurrentDeadline, isDeadlineOver, recordCall } from '../../runtime/request-scope.ts';
import { tuneClient, buildTunedSettings } from './sdk-tuning.ts';

type CapacityOutput = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const MAX_SOCKETS = 256;
// Matches the names of commands that read, such as BatchGetItemCommand. All other commands write.
const READ_COMMAND = /Get|Query|Scan/;

/**
 * A client for `reads.ts` and `writes.ts`, which convert the values of items. For each call of a document client, the SDK
 * copies all middlewares twice, and needs a sixth more CPU time.
 */
export type TableClient = Pick<DynamoDBClient, 'send'>;

/**
 * Creates a client, by default for the region of the environment. Each call ends by the deadline of the current request,
 * and is recorded in the usage of the request.
 */
export function createTableClient(options: DynamoDBClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    ...options,
    maxAttempts: 3,
    retryMode: 'standard',
    ...buildTunedSettings(),
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      // The local service handles many requests in one process. Waiting for a socket counts toward the timeout.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  tuneClient(client);
  meterCalls(client);
  checkDeadlineBeforeAttempts(client);
  limitCallsToDeadline(client);
  return client;
}

/** Ends every call of a client, with all retries, by the deadline of the current request. */
export function limitCallsToDeadline(client: TableClient): void {
  // The overloads of `send` cannot be written as one type. The cast below restores them for callers.
  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  client.send = (async (command: unknown, options?: object) => {
    if (isDeadlineOver()) throw new DeadlineError({ hasCallBegun: false });
    const deadline = getCurrentDeadline();
    return send(command, deadline ? { ...options, abortSignal: deadline.signal } : options);
  }) as typeof client.send;
}

/** Throws a DeadlineError before each attempt that would begin after the deadline of the current request. */
function checkDeadlineBeforeAttempts({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      if (isDeadlineOver()) throw new DeadlineError({ hasCallBegun: true });
      return next(args);
    },
    // With the low priority, the check runs before each attempt. Lambda can freeze the process between two attempts.
    { step: 'finalizeRequest', name: 'checkDeadline', priority: 'low' },
  );
}

/** Records every attempt of a call, with the capacity that DynamoDB reports. A failed attempt has no report. */
function meterCalls({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
    { step: 'initialize', name: 'requestCapacity' },
  );
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const startMs = performance.now();
        let capacityUnits = 0;
        try {
          const result = await next(args);
          // A batch or transaction has an array with a report for each table. Other commands have one report.
          const { ConsumedCapacity: reports = [] } = result.output as CapacityOutput;
          for (const { CapacityUnits = 0 } of [reports].flat()) capacityUnits += CapacityUnits;
          return result;
        } finally {
          const readUnits = READ_COMMAND.test(commandName) ? capacityUnits : 0;
          recordCall({ startMs, endMs: performance.now(), readUnits, writeUnits: capacityUnits - readUnits });
        }
      },
    // With the low priority, the middleware runs for each attempt, including retries.
    { step: 'finalizeRequest', name: 'meterCall', priority: 'low' },
  );
}
