import { extname } from 'node:path';
import { CSV_DIALECTS, type CsvDialect } from '../../lib/spreadsheets/write-csv.ts';

/** The options of a command that decide the format of its result. */
export interface FormatOptions {
  readonly csv?: true | undefined;
  readonly excel?: true | undefined;
  readonly json?: true | undefined;
  readonly out?: string | undefined;
}

/** Finds the format of a sheet: by its option, or by the ending of --out; null if the result is not a sheet. */
export function findSheetFormat({ csv, excel, json, out = '' }: FormatOptions): CsvDialect | null {
  if (excel) return CSV_DIALECTS.excel;
  return csv || (!json && extname(out).toLowerCase() === '.csv') ? CSV_DIALECTS.csv : null;
}
