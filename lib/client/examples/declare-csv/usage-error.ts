/** A reason, in one line, why the script cannot run at all. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
