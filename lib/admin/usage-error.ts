/**
 * A reason, in one line, why a command cannot run at all: wrong use, an unusable file, or a target that is not there.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
