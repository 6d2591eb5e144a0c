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
  `${outOption.description}; with the extension .xlsx it becomes a workbook, with .csv a CSV`,
);

/** Returns the format of a sheet, or null for a table or JSON. Throws an OperatorError if options contradict. */
export function resolveSheetFormat({ csv, json, out = '' }: CommonOptions & { csv?: true }): SheetFormat | null {
  const extension = extname(out).toLowerCase();
  const isWorkbook = extension === '.xlsx';
  const textOption = csv ? '--csv' : '--json';
  if (isWorkbook && (csv || json)) throw new OperatorError(translate(opsTexts.workbookWithOption(out, textOption)));
  if (isWorkbook) return 'xlsx';
  if (json) return null;
  return csv || extension === '.csv' ? 'csv' : null;
}
