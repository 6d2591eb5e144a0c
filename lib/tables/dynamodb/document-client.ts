import { type ConsumedCapacity as Charged, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { currentDeadline, DeadlineError, recordCall } from '../../runtime/request-scope.ts';
import { tuneClient, buildTunedSettings } from './sdk-tuning.ts';

const MAX_SOCKETS = 256;
const READS = /Get|Query|Scan/;

/**
 * Creates a document client with fixed attempts and timeouts. It returns numbers as NumberValue, never as binary
 * floats. Calls for a request end by its deadline, and add to its usage. The default region is that of the environment.
 */
export function createDocumentClient(where: { region?: string } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...where,
    maxAttempts: 3,
    retryMode: 'standard',
    ...buildTunedSettings(),
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      // A process that serves many requests at once must not wait for its own sockets: that counts as a timeout.
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
  endByDeadline(documents);
  return documents;
}

export function withoutRetry(command: UpdateCommand): UpdateCommand {
  const instead = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const;
  command.middlewareStack.add((next) => next, instead);
  return command;
}

/** Ends every call of a client, with its retries, by the deadline of its request; no attempt begins after that. */
function endByDeadline(client: DynamoDBDocumentClient): void {
  const isLate = () => (currentDeadline()?.remainingMs() ?? 1) <= 0;

  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  client.send = (async (command: unknown, options?: object) => {
    if (isLate()) throw new DeadlineError({ callBegun: false });
    const deadline = currentDeadline();
    return send(command, deadline ? { ...options, abortSignal: deadline.signal } : options);
  }) as typeof client.send;

  client.middlewareStack.add(
    (next) => async (args) => {
      if (isLate()) throw new DeadlineError({ callBegun: true });
      return next(args);
    },
    // Inside the retries: a process may have been frozen between two attempts.
    { step: 'finalizeRequest', name: 'beginNoAttemptLate', priority: 'low' },
  );
}

/** Records every attempt at a call, with the capacity that DynamoDB reports. A failed attempt reports none. */
export function meterCalls({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
    { step: 'initialize', name: 'askForCapacity' },
  );
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const startMs = performance.now();
        let units = 0;
        try {
          const result = await next(args);
          const { ConsumedCapacity: charged = [] } = result.output as { ConsumedCapacity?: Charged | Charged[] };
          units = [charged].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
          return result;
        } finally {
          const [readUnits, writeUnits] = READS.test(commandName) ? [units, 0] : [0, units];
          recordCall({ startMs, endMs: performance.now(), readUnits, writeUnits });
        }
      },
    // Inside the retries: each attempt is a call.
    { step: 'finalizeRequest', name: 'meterCall', priority: 'low' },
  );
}
