import type { ColumnMap } from './column-map.ts';
import { type CsvHeader, readHeader } from './csv-header.ts';
import { csvRecords } from './csv-records.ts';
import { type DecodedText, decodeUtf8 } from './decode-utf8.ts';
import { decodeWindows1252 } from './decode-windows-1252.ts';
import { parseExactJson } from './exact-json.ts';
import { HeaderError, InputError } from './input-error.ts';
import { type CellStyle, readCells } from './read-cells.ts';
import type { Line } from './read-lines.ts';
import type { SourceRecord } from './source-record.ts';
import { decimalProperties } from './record-schema.ts';
import { splitCells } from './split-cells.ts';

/** How the text of a CSV may be encoded. */
export const ENCODINGS = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** How a CSV is written. */
export interface CsvOptions extends CellStyle {
  readonly encoding?: Encoding | undefined;
  /** Which column is which field, where headings are not the names of fields; other columns are left out. */
  readonly map?: ColumnMap | undefined;
  /** Hears of the header. */
  readonly onHeader?: (header: CsvHeader) => void;
}

/** The cell that clears what is stored, as null does in JSON; an empty one keeps it. */
const CLEAR = 'null';
const QUOTES = 'A cell that holds quotes stands within quotes, and each of its own is written twice.';

/** Reads the records of a CSV, from a line on. */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  fromLine: number,
  { encoding = 'utf-8', map, onHeader, ...style }: CsvOptions,
): AsyncGenerator<SourceRecord> {
  let header: CsvHeader | undefined;
  for await (const { firstLine, lastLine: line, bytes } of csvRecords(lines)) {
    if (header && line < fromLine) continue;
    const { text, fault } = decode(bytes, firstLine, encoding);
    const record = text.replace(/\r$/, '');
    if (!header) {
      if (fault) throw new InputError(firstLine, `The header ${fault.replace('record: ', '')}.`);
      const read = readHeader(record, map);
      if (!read) throw misplacedQuote(firstLine);
      if ('faults' in read) throw new HeaderError(firstLine, read.faults);
      header = read;
      onHeader?.(header);
      continue;
    }
    const cells = splitCells(record, header.separator);
    if (!cells) throw misplacedQuote(firstLine);
    if (fault) yield { line, source: JSON.stringify(record), fault };
    else yield readRow(header, cells, line, style);
  }
}

function decode(bytes: Buffer, firstLine: number, encoding: Encoding): DecodedText {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  const { text, fault } = decodeUtf8(bytes, firstLine);
  return { text, fault: fault && `${fault}; if this is Windows-1252, say --encoding windows-1252` };
}

function misplacedQuote(line: number): InputError {
  return new InputError(line, `Line ${line}: a quote is out of place. ${QUOTES}`);
}

function readRow(
  { fields, separator }: CsvHeader,
  cells: readonly string[],
  line: number,
  style: CellStyle,
): SourceRecord {
  if (cells.length !== fields.length) {
    const fault = `record: has ${cells.length} columns, and the header ${fields.length}`;
    return { line, source: JSON.stringify(cells), fault };
  }
  const named = fields.flatMap((field, column): [string, string | null][] => {
    const cell = cells[column];
    return field === null || !cell ? [] : [[field, cell === CLEAR ? null : cell]];
  });
  const { row, faults } = readCells(Object.fromEntries(named), style, separator);
  if (typeof row['concepts'] !== 'string') return { line, source: JSON.stringify(row), value: row, faults };
  try {
    const value = { ...row, concepts: parseExactJson(row['concepts'], decimalProperties) };
    return { line, source: JSON.stringify(value), value, faults };
  } catch {
    return { line, source: JSON.stringify(row), fault: 'concepts: is not valid JSON' };
  }
}
