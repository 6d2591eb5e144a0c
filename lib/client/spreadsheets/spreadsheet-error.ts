import type { Language, Text } from '../../domain/language.ts';

/** The error of a file that cannot be read from a line on. If the line is 1, nothing of the file can be read. */
export class SpreadsheetError extends Error {
  readonly text: Text;
  readonly line: number;

  constructor(text: Text, line = 1) {
    super(text.en);
    this.text = text;
    this.line = line;
  }
}

/** The headings of a file, and the field of each column: null if it is ignored, and undefined if it is unknown. */
export interface Columns<Field extends string = string> {
  readonly headings: readonly string[];
  readonly fields: readonly (Field | null | undefined)[];
}

/** The errors of a file whose columns are unclear, in one message that begins with the place of the headings. */
export class ColumnsError extends SpreadsheetError {
  readonly columns: Columns;

  constructor(errors: readonly Text[], place: Text | null, columns: Columns) {
    const buildMessage = (language: Language) => {
      const placeText = place?.[language] ?? '';
      const errorTexts = errors.map((error) => error[language]);
      return placeText + errorTexts.join(' ');
    };
    super({ en: buildMessage('en'), es: buildMessage('es') });
    this.columns = columns;
  }
}

/** The error of an unreadable cell or line. `hint` is the format whose choice by the user can resolve it. */
export interface CellError {
  readonly error: Text;
  readonly hint?: 'decimal' | 'dates';
}

/** A cell that cannot be read, with the text that can be shown. */
export type UnreadableCell = CellError & { readonly value: string };

/** The value of a cell (digits with a decimal point; a date of ISO 8601), or its error. */
export type Reading = { readonly value: string } | CellError;
