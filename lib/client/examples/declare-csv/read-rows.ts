import { CsvError, parse } from 'csv-parse/sync';
import { fileTexts } from './texts/file.ts';
import type { Text } from './language.ts';
import { UsageError } from './usage-error.ts';

/** What stands between two columns. */
export type Separator = ',' | ';' | '\t';

/** A line of a file that is not empty: where it begins (the first line is 1), and its cells. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The rows of a file, up to where it breaks off: a row that is no CSV, which begins on this line. */
export interface Rows {
  readonly separator: Separator;
  readonly rows: readonly Row[];
  /** Whether the last row ends its line; a file that was cut off mostly does not. */
  readonly isEnded: boolean;
  readonly broken?: { readonly line: number; readonly message: Text };
}

// The mark itself may be missing.
const SEPARATOR_LINE = /^"?sep=([^\n"]?)"?(?=\n|$)/i;

/** Reads the rows of a CSV; throws a UsageError when its first line, as Excel understands it, names no separator. */
export function readRows(content: string): Rows {
  // One kind of line end, because csv-parse counts a CRLF inside quotes as two lines.
  const whole = content.replaceAll(/\r\n?/g, '\n');
  const separator = separatorOf(whole);
  // Its line stays, so that the others keep their numbers.
  const text = whole.replace(SEPARATOR_LINE, '');
  const rows: Row[] = [];
  const isEnded = text.endsWith('\n');
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
    return { separator, rows, isEnded };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // csv-parse names the line where it gave up: for a quote that is not closed, the last one of the file.
    const isFilled = (line: string, index: number) => index >= lastLine && /[^\s,;]/.test(line);
    const line = text.split('\n').findIndex(isFilled) + 1;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const { lines } = error as unknown as { readonly lines: number };
    const message = isOpen ? fileTexts.openQuote : fileTexts.strayQuote(lines);
    return { separator, rows, isEnded, broken: { line, message } };
  }
}

function separatorOf(text: string): Separator {
  const [line, named] = SEPARATOR_LINE.exec(text) ?? [];
  if (line !== undefined && named !== ',' && named !== ';' && named !== '\t') {
    throw new UsageError(fileTexts.unknownSeparator(named || '""'));
  }
  if (named) return named as Separator;
  // A heading in quotes may have several lines.
  const [unquoted = ''] = text
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split('\n', 1);
  return ([';', '\t'] as const).find((mark) => unquoted.includes(mark)) ?? ',';
}
