/**
 * A record that was read (`line`: its last line, from 1): a value that is not yet validated, with the errors of reading
 * its fields, or the error why it has no value. `source` is its original content as JSON.
 */
export type SourceRecord = { readonly line: number; readonly source: string } & (
  { readonly value: unknown; readonly errors?: readonly string[] } | { readonly error: string }
);

/** The error of a file that cannot be read from a line on. The records before that line can be imported. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
