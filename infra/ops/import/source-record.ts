/**
 * A record that was read, with its line (from 1), its original content as JSON, and the errors of reading it. The value
 * is not yet validated; a record that could not be read has none.
 */
export interface SourceRecord {
  readonly line: number;
  readonly source: string;
  readonly value?: unknown;
  readonly errors?: readonly string[];
}

/** The error of a file that cannot be read from a line on. The records before that line can be imported. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
