import type { UpdateCommand } from '@aws-sdk/lib-dynamodb';

/** A command that its client tries once: it takes the place of the middleware that repeats calls. */
export function attemptedOnce(command: UpdateCommand): UpdateCommand {
  const repeating = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const;
  command.middlewareStack.add((next) => next, repeating);
  return command;
}
