import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import type { CommonOptions } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { outOption } from './out-file.ts';
import type { SheetFormat } from './write-sheet.ts';

export const csvOption = new Option('--csv', 'write a CSV with commas and decimal points').conflicts('json');

export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; the extension .xlsx writes a workbook, .csv a CSV`,
);

/**
 * Returns the format of the sheet that a command writes, or null if it prints a table or a JSON document. Throws an
 * OperatorError if --csv or --json contradicts --out.
 */
export function resolveSheetFormat({ csv, json, out = '' }: CommonOptions & { csv?: true }): SheetFormat | null {
  const extension = extname(out).toLowerCase();
  if (extension === '.xlsx') {
    if (csv || json) throw new OperatorError(translate(opsTexts.workbookWithOption(out, csv ? '--csv' : '--json')));
    return 'xlsx';
  }
  if (csv) return 'csv';
  return extension === '.csv' && !json ? 'csv' : null;
}
