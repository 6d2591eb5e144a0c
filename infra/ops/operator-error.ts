/** The error of a command that cannot be run: wrong usage, an unusable file, or a missing entry. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
