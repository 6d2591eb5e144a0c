import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Deadline, DeadlineError } from '../../runtime/deadline.ts';

/**
 * Gives every call of a client, with its repetitions, the deadline of the request that makes it. No call begins after
 * the deadline.
 */
export function boundCalls(client: DynamoDBDocumentClient, deadlineOf: () => Deadline | undefined): void {
  const isLate = (deadline: Deadline | undefined) => deadline !== undefined && deadline.remainingMs() <= 0;

  const send = client.send.bind(client) as (command: unknown, options?: object) => Promise<unknown>;
  client.send = (async (command: unknown, options?: object) => {
    const deadline = deadlineOf();
    if (isLate(deadline)) throw new DeadlineError({ callBegun: false });
    return send(command, deadline ? { ...options, abortSignal: deadline.signal } : options);
  }) as typeof client.send;

  client.middlewareStack.add(
    (next) => async (args) => {
      if (isLate(deadlineOf())) throw new DeadlineError({ callBegun: true });
      return next(args);
    },
    // Inside the retries: a process may have been frozen between two attempts.
    { step: 'finalizeRequest', name: 'beginNoAttemptLate', priority: 'low' },
  );
}
