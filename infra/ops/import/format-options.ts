import { Option } from '@commander-js/extra-typings';
import { DECIMAL_SIGNS } from '../../../lib/client/spreadsheets/read-amount.ts';
import { readDocument } from '../input/read-yaml.ts';
import { OperatorError } from '../operator-errors.ts';
import { isSameFile } from '../output/out-file.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { Input } from './import-files.ts';
import type { FormatOptions } from './read-records.ts';
import { IMPORT_FIELDS } from './record-schema.ts';

export const mapOption = new Option(
  '--map <file>',
  'file that maps columns to fields, `field: heading` per line; other columns are ignored',
);

export const decimalOption = new Option(
  '--decimal <sign>',
  'decimal sign of a CSV: comma (1.050,00) or point (1050.00)',
).choices(DECIMAL_SIGNS);

export const dayFirstOption = new Option('--day-first', 'read dates of a CSV with their day first: 24/08/2026');

interface Options {
  readonly map?: string | undefined;
  readonly decimal?: FormatOptions['decimal'];
  readonly dayFirst?: true | undefined;
}

type ColumnMapLine = [field: string, heading: unknown];

/** Reads the options that describe a CSV or a workbook. Throws an OperatorError if they contradict the input. */
export async function readFormatOptions(options: Options, { format, rejectsPath }: Input): Promise<FormatOptions> {
  const { map, decimal, dayFirst } = options;
  const hasOption = [map, decimal, dayFirst].some((option) => option !== undefined);
  if (format === 'ndjson' && hasOption) throw new OperatorError(translate(opsTexts.formatOptions));
  if (map !== undefined && (await isSameFile(map, rejectsPath))) {
    throw new OperatorError(translate(opsTexts.sameFile('--map', '--rejects')));
  }
  return {
    map: map === undefined ? undefined : readColumnMap(await readDocument(map)),
    decimal,
    isDayFirst: dayFirst,
  };
}

/** Reads the map of columns. Throws an OperatorError that lists the fields of all invalid lines. */
export function readColumnMap(document: unknown): NonNullable<FormatOptions['map']> {
  const lines: ColumnMapLine[] = Object.entries(document ?? {});
  if (lines.length > 0 && lines.every(isValidLine)) return lines;
  const invalidFields = lines.filter((line) => !isValidLine(line)).map(([field]) => field);
  const invalidList = invalidFields.join(', ') || translate(opsTexts.none);
  throw new OperatorError(translate(opsTexts.invalidMap(invalidList, IMPORT_FIELDS.join(', '))));
}

function isValidLine(line: ColumnMapLine): line is [field: string, heading: string] {
  const [field, heading] = line;
  return IMPORT_FIELDS.includes(field) && typeof heading === 'string' && heading.trim() !== '';
}
