import type { ColumnMap } from './column-map.ts';
import { type CsvHeader, readHeader } from './csv-header.ts';
import { csvRecords } from './csv-records.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { parseExactJson } from './exact-json.ts';
import { HeaderError, InputError } from './input-error.ts';
import { type DecimalSign, readAmounts } from './read-amounts.ts';
import type { Line } from './read-lines.ts';
import type { SourceRecord } from './source-record.ts';
import { decimalProperties } from './record-schema.ts';
import { splitCells } from './split-cells.ts';

/** How a CSV is written. */
export interface CsvOptions {
  /** Which column is which field, where headings are not the names of fields; other columns are left out. */
  readonly map?: ColumnMap | undefined;
  /** How amounts are written: `1.050,00` or `1050.00`. */
  readonly decimal?: DecimalSign | undefined;
  /** Hears of the header. */
  readonly onHeader?: (header: CsvHeader) => void;
}

const QUOTES = 'A cell that holds quotes stands within quotes, and each of its own is written twice.';

/** Reads the records of a CSV, from a line on. */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  fromLine: number,
  { map, decimal, onHeader }: CsvOptions,
): AsyncGenerator<SourceRecord> {
  let header: CsvHeader | undefined;
  for await (const { firstLine, lastLine: line, bytes } of csvRecords(lines)) {
    if (header && line < fromLine) continue;
    const { text, fault } = decodeUtf8(bytes, firstLine);
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
    else yield readRow(header, cells, line, decimal);
  }
}

function misplacedQuote(line: number): InputError {
  return new InputError(line, `Line ${line}: a quote is out of place. ${QUOTES}`);
}

function readRow(
  { fields, separator }: CsvHeader,
  cells: readonly string[],
  line: number,
  sign: DecimalSign | undefined,
): SourceRecord {
  if (cells.length !== fields.length) {
    const fault = `record: has ${cells.length} columns, and the header ${fields.length}`;
    return { line, source: JSON.stringify(cells), fault };
  }
  const named = fields.flatMap((field, column) => (field === null ? [] : [[field, cells[column] || null] as const]));
  const { row, faults } = readAmounts(Object.fromEntries(named), { sign, separator });
  if (typeof row['concepts'] !== 'string') return { line, source: JSON.stringify(row), value: row, faults };
  try {
    const value = { ...row, concepts: parseExactJson(row['concepts'], decimalProperties) };
    return { line, source: JSON.stringify(value), value, faults };
  } catch {
    return { line, source: JSON.stringify(row), fault: 'concepts: is not valid JSON' };
  }
}
