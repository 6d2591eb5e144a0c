/** A reason not to start that one line explains: something the user can mend. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
