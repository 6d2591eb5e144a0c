import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from './usage-error.ts';

/** A line of a file that is not empty: where it begins (the first line is 1), and its cells. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a file, up to where it breaks off: a row that is no CSV, which begins on this line. */
export interface Rows {
  readonly separator: ',' | ';';
  readonly rows: readonly Row[];
  readonly broken?: { readonly line: number; readonly message: string };
}

/** Reads a CSV in UTF-8, with or without a byte order mark; throws a UsageError when it is in another encoding. */
export function readRows(bytes: Uint8Array): Rows {
  // One kind of line end, because csv-parse counts a CRLF inside quotes as two lines.
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n');
  const separator = /^.*;/.test(text.trimStart()) ? ';' : ',';
  const rows: Row[] = [];
  let lastLine = 0;
  try {
    parse(text, {
      delimiter: separator,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record(cells: string[], { lines }) {
        const linesInside = cells.join('').split('\n').length - 1;
        rows.push({ line: lines - linesInside, cells });
        lastLine = lines;
        return null;
      },
    });
    return { separator, rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // csv-parse names the line where it gave up: for a quote that is not closed, the last one of the file.
    const isFilled = (line: string, index: number) => index >= lastLine && /[^\s,;]/.test(line);
    const line = text.split('\n').findIndex(isFilled) + 1;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const reason = isOpen ? 'a quote that is opened here is never closed' : error.message;
    return { separator, rows, broken: { line, message: `is no CSV: ${reason}` } };
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError('The file is not in UTF-8: save it as "CSV UTF-8".');
  }
}
