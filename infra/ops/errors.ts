/** The error of a command that cannot be run: wrong usage, an unusable file, or a missing entry. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The error of a disk, a pipe or a lock, with a complete message; the command ends with exit code 3. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Describes an error of the operating system in a few words. */
export function describeSystemError(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 'EPIPE: the reader has closed the pipe';
  return error instanceof Error ? error.message : String(error);
}
