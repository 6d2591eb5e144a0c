import type { Text } from '../domain/language.ts';

/** Why a file cannot be read from a line on, in each language; of line 1, nothing of it can be read. */
export class SpreadsheetError extends Error {
  override readonly name = 'SpreadsheetError';
  readonly text: Text;
  readonly line: number;

  constructor(text: Text, line = 1) {
    super(text.en);
    this.text = text;
    this.line = line;
  }
}

/** The error of a file whose columns are not clear. */
export class ColumnsError extends SpreadsheetError {}

/** What an option of a command can say of a cell that is not clear. */
export type Hint = 'encoding' | 'decimal' | 'dates';

/** Why a cell or a line is not read, and the option that would help. */
export interface Fault {
  readonly fault: Text;
  readonly hint?: Hint;
}

/** A cell that cannot be decoded, with what can be shown of it. */
export interface UnreadableCell extends Fault {
  readonly value: string;
}

/** What a cell says (digits with a decimal point; a date of ISO 8601), or why it is not read. */
export type Reading = { readonly value: string } | Fault;
