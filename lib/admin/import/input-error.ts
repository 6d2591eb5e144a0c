/** Why a file cannot be read from a line on, in one sentence; what stands before that line can be imported. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
