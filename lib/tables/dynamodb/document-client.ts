import { type ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { getCurrentDeadline, DeadlineError, recordCall } from '../../runtime/request-scope.ts';
import { tuneClient, buildTunedSettings } from './sdk-tuning.ts';

type CapacityOutput = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const MAX_SOCKETS = 256;
// The names of commands that read, such as BatchGetItemCommand. The others write.
const READ_COMMAND = /Get|Query|Scan/;

/**
 * Creates a document client, by default for the region of the environment. It returns numbers as NumberValue, so that
 * no digit is lost. Its calls end by the deadline of their request, and add to the usage of the request.
 */
export function createDocumentClient(options: { region?: string } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...options,
    maxAttempts: 3,
    retryMode: 'standard',
    ...buildTunedSettings(),
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      // The local service handles many requests in one process. A wait for a free socket would count as a timeout.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  tuneClient(client);
  meterCalls(client);
  const documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
  limitCallsToDeadline(documents);
  return documents;
}

/** Disables the retries of one command. Returns the command. */
export function disableRetries(command: UpdateCommand): UpdateCommand {
  // A middleware that has no effect replaces the middleware of the SDK with the same name.
  const options = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const;
  command.middlewareStack.add((next) => next, options);
  return command;
}

/** Ends every call of a client, with its retries, by the deadline of its request. No attempt begins after that. */
function limitCallsToDeadline(client: DynamoDBDocumentClient): void {
  // Outside of a request there is no deadline.
  const isDeadlineOver = () => (getCurrentDeadline()?.remainingMs() ?? 1) <= 0;

  // The overloads of `send` cannot be written as one type; its callers still see them.
  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  client.send = (async (command: unknown, options?: object) => {
    if (isDeadlineOver()) throw new DeadlineError({ callBegun: false });
    const deadline = getCurrentDeadline();
    return send(command, deadline ? { ...options, abortSignal: deadline.signal } : options);
  }) as typeof client.send;

  client.middlewareStack.add(
    (next) => async (args) => {
      if (isDeadlineOver()) throw new DeadlineError({ callBegun: true });
      return next(args);
    },
    // The low priority puts the check inside the retries: the process may have been frozen between two attempts.
    { step: 'finalizeRequest', name: 'checkDeadline', priority: 'low' },
  );
}

/** Records every attempt of a call, with the capacity that DynamoDB reports. A failed attempt reports no capacity. */
export function meterCalls({ middlewareStack }: DynamoDBClient): void {
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
          capacityUnits = [reports].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
          return result;
        } finally {
          const readUnits = READ_COMMAND.test(commandName) ? capacityUnits : 0;
          recordCall({ startMs, endMs: performance.now(), readUnits, writeUnits: capacityUnits - readUnits });
        }
      },
    // The low priority puts the measurement inside the retries, so that it records each attempt.
    { step: 'finalizeRequest', name: 'meterCall', priority: 'low' },
  );
}
