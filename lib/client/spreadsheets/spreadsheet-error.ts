import type { Text } from '../../domain/language.ts';

/** An error with a message in each language. */
export class TextError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(text.en);
    this.text = text;
  }
}

/** The error of a file that cannot be read from a line on; with line 1, nothing of the file can be read. */
export class SpreadsheetError extends TextError {
  readonly line: number;

  constructor(text: Text, line = 1) {
    super(text);
    this.line = line;
  }
}

/** The error of a file whose columns are not clear. */
export class ColumnsError extends SpreadsheetError {}

/** The error of an unreadable cell or line, and the option of a command that can resolve it. */
export interface Fault {
  readonly fault: Text;
  readonly hint?: 'encoding' | 'decimal' | 'dates';
}

/** A cell that cannot be read, with the text that can be shown. */
export type UnreadableCell = Fault & { readonly value: string };

/** The value of a cell (digits with a decimal point; a date of ISO 8601), or its error. */
export type Reading = { readonly value: string } | Fault;
