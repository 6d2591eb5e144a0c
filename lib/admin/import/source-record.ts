/**
 * What was read where (the last line of a record; the first is 1): a value still to be checked, with the faults that it
 * has already, or why there is none; `source` is JSON that says what was written.
 */
export type SourceRecord = { readonly line: number; readonly source: string } & (
  { readonly value: unknown; readonly faults?: readonly string[] } | { readonly fault: string }
);

/** Why a file cannot be read from a line on, in sentences; what stands before that line can be imported. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
