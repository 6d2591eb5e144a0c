import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { OperatorError } from '../../lib/admin/operator-error.ts';
import { outOption } from './out-file.ts';

/** The formats of a sheet: a CSV for programs, a workbook for people. */
export type SheetFormat = 'csv' | 'xlsx';

/** The option --out of a command whose result can be a sheet. */
export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; with the ending .xlsx a workbook for people, with .csv a CSV for programs`,
);

/** The options of a command that decide the format of its result. */
export interface FormatOptions {
  readonly csv?: true | undefined;
  readonly json?: true | undefined;
  readonly asEvents?: true | undefined;
  readonly out?: string | undefined;
}

/**
 * Finds the format of a sheet: by its option, or by the ending of --out; null if the result is not a sheet. Throws an
 * OperatorError if they contradict each other.
 */
export function findSheetFormat({ csv, json, asEvents, out = '' }: FormatOptions): SheetFormat | null {
  const ending = extname(out).toLowerCase();
  if (ending === '.xlsx') {
    const other = csv ? '--csv' : json ? '--json' : asEvents && '--as-events';
    if (other)
      throw new OperatorError(`--out: ${out} is the name of a workbook. Omit ${other}, or use another ending.`);
    return 'xlsx';
  }
  return csv || (!json && !asEvents && ending === '.csv') ? 'csv' : null;
}
