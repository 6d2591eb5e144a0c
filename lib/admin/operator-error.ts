/** Why what an operator asks for cannot be done: wrong use, an unusable file, or something that is not there. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
