import type { FieldSpec } from '../../../lib/client/spreadsheets/find-columns.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import { readTable, type TableOptions } from '../../../lib/client/spreadsheets/read-table.ts';
import { SpreadsheetError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';

/** Fields that include every kind. */
const fields = {
  id: { kind: 'id', headings: ['factura', 'no factura'] },
  amount: { kind: 'amount', headings: ['importe', 'monto'] },
  date: { kind: 'date', headings: ['fecha'] },
  tax: { kind: 'percentage', headings: ['% iva'] },
  city: { kind: 'text' },
} satisfies Record<string, FieldSpec>;
type Field = keyof typeof fields;

/** Options that a test sets for reading a table. */
export type ReadOptions = Partial<TableOptions<Field>>;

/** Reads a file. Returns the description of its format, its rows, and all errors as texts. */
export async function readSheet(content: string | Buffer | Iterable<string | Buffer>, options: ReadOptions = {}) {
  const chunks = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
  const input = (async function* (): AsyncGenerator<string | Buffer> {
    yield* chunks;
  })();
  const { detected, rows } = await readTable(input, { fields, required: ['id'], ...options });
  const readRows: ({ line: number } & Partial<Record<Field, string | null>>)[] = [];
  const errors: string[] = [];
  try {
    for await (const { line, values, error: rowError } of rows) {
      const cells = [...values];
      readRows.push({ line, ...Object.fromEntries(cells.map(([field, { value }]) => [field, value])) });
      if (rowError) errors.push(`${line} - ${rowError.en}`);
      for (const [field, { error }] of cells) if (error) errors.push(`${line} ${field} ${error.en}`);
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    errors.push(`${error.line} ${error.text.en}`);
  }
  return { format: describeFormat(detected, 'en'), rows: readRows, errors };
}

/** Reads the cells of one column. Returns the value or the error of each cell. */
export async function readColumn(
  field: 'amount' | 'date' | 'tax',
  cells: readonly string[],
  separator = ';',
  options: ReadOptions = {},
): Promise<readonly (string | null | undefined)[]> {
  const rows = cells.map((cell, index) => `${index + 1}${separator}"${cell}"\n`);
  const { rows: readRows, errors } = await readSheet(`id${separator}${field}\n${rows.join('')}`, options);
  const findError = (line: number) => errors.find((error) => error.startsWith(`${line} ${field} `));
  return readRows.map((row) => findError(row.line)?.split(` ${field} `)[1] ?? row[field]);
}
