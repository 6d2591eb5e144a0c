import type { Language, Text } from '../../domain/language.ts';

/** The error that is thrown when the reading of a file fails. `line` is the line at which it fails. */
export class SpreadsheetError extends Error {
  readonly text: Text;
  readonly line: number;

  /** The lines before `line` have been read. By default, nothing of the file can be read. */
  constructor(text: Text, line = 1) {
    super(text.en);
    this.text = text;
    this.line = line;
  }
}

/** The headings of a file, and the field of each column: null if the column is ignored, undefined if it is unknown. */
export interface Columns<Field extends string = string> {
  readonly headings: readonly string[];
  readonly fields: readonly (Field | null | undefined)[];
}

/** The errors of the columns of a file, in one message: `Sheet "May", row 3: These columns are not known: "x". …` */
export class ColumnsError extends SpreadsheetError {
  readonly columns: Columns;

  /** `place` is the start of the message, such as `Sheet "May", row 3: `. A CSV has no sheets, so that it is null. */
  constructor(errors: readonly Text[], place: Text | null, columns: Columns) {
    const buildMessage = (language: Language) => {
      const message = errors.map((error) => error[language]).join(' ');
      return place ? place[language] + message : message;
    };
    super({ en: buildMessage('en'), es: buildMessage('es') });
    this.columns = columns;
  }
}

/** The error of an unreadable cell or line. `hint` is the format that the user can choose to fix the error. */
export interface CellError {
  readonly error: Text;
  readonly hint?: 'decimal' | 'dates';
}

/** A cell that cannot be read. `value` is the text that is shown for it. */
export type UnreadableCell = CellError & { readonly value: string };

/** The value of a cell, or its error. The value of an amount has a decimal point, and that of a date is ISO 8601. */
export type Reading = { readonly value: string } | CellError;
