import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { Big } from 'big.js';
import type { DetectedFormat } from '../client/spreadsheets/read-table.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { describeFileError, fileErrors } from '../client/spreadsheets/system-errors.ts';
import { CSV_DIALECTS, type CsvCell, type CsvDialect, formatCsvLine } from '../client/spreadsheets/write-csv.ts';
import { type ColumnFormat, writeWorkbook } from '../client/spreadsheets/write-workbook.ts';
import type { Language, Text } from '../domain/language.ts';
import { toPrintable } from '../runtime/printable.ts';
import type { LineResult } from './declare-lines.ts';
import { runTexts, SPANISH_OUTCOMES } from './run-texts.ts';

/** A column of a report. Its heading in English is its name. */
interface ReportColumn extends ColumnFormat {
  readonly es: string;
  readonly read: (result: LineResult) => string | number | null | undefined;
}

const COLUMNS: Readonly<Record<string, ReportColumn>> = {
  line: { es: 'línea', read: ({ line }) => line },
  invoice_id: { es: 'factura', read: ({ declaration }) => declaration.invoice_id },
  amount: { es: 'importe', kind: 'amount', read: ({ declaration }) => declaration.amount },
  outcome: { es: 'resultado', read: ({ outcome }) => outcome },
  action: { es: 'acción', read: ({ tolerance }) => tolerance?.action },
  difference: { es: 'diferencia', kind: 'amount', read: ({ tolerance }) => tolerance?.difference },
  difference_pct: { es: 'diferencia %', kind: 'percentage', read: ({ tolerance }) => tolerance?.difference_pct },
  declaration_id: { es: 'declaración', read: ({ declarationId }) => declarationId },
  code: { es: 'código', read: ({ error }) => error?.code },
  message: { es: 'mensaje', read: ({ error }) => error?.message },
  request_id: { es: 'solicitud', read: ({ requestId }) => requestId },
};

const toCell = (value: string | number | null | undefined): CsvCell =>
  typeof value === 'number' ? new Big(value) : toPrintable(value ?? '');

/** Formats the result of every line as a workbook, or as a CSV in the dialect of the program that wrote the file. */
export async function formatReport(
  results: readonly LineResult[],
  path: string,
  dialect: CsvDialect,
  language: Language,
): Promise<string | Buffer> {
  const columns = Object.entries(COLUMNS).map(([name, column]): [heading: string, ReportColumn] => {
    if (language === 'en') return [name, column];
    return [column.es, name === 'outcome' ? { ...column, read: ({ outcome }) => SPANISH_OUTCOMES[outcome] } : column];
  });
  const rows = results.map((result) => columns.map(([, { read }]) => toCell(read(result))));
  if (/\.xlsx$/i.test(path)) return writeWorkbook(runTexts.report[language], Object.fromEntries(columns), rows);
  const header = columns.map(([heading]) => heading);
  return dialect.bom + [header, ...rows].map((cells) => formatCsvLine(cells, dialect)).join('');
}

/** Finds the dialect of the report: the dialect of the file or, for a workbook, the usual one of the language. */
export function findDialect({ origin, style }: DetectedFormat<string>, language: Language): CsvDialect {
  const excel = { ...CSV_DIALECTS.excel, protectsNumbers: false };
  if ('sheet' in origin) return language === 'es' ? excel : { ...excel, separator: ',', decimalSign: '.' };
  // Only programs such as Excel write a BOM, or use another encoding than UTF-8.
  const bom = origin.encoding === 'UTF-8' && !origin.hasBom ? '' : excel.bom;
  return { ...excel, bom, separator: origin.separator, decimalSign: style.marks.includes(',') ? ',' : '.' };
}

/** Reads a whole file; throws a TextError if it cannot be read. */
export const readInput = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw new TextError(fileErrors.cannotRead(path, describeFileError(error)));
  });

/** Throws a TextError if the report cannot be written, is the input file, or would replace a file without `canOverwrite`. */
export async function checkReportFile(report: string, input: string, canOverwrite: boolean): Promise<void> {
  const handle = await open(report, 'a').catch((error: unknown) => {
    throw new TextError(fileErrors.cannotWrite(report, describeFileError(error)));
  });
  try {
    const [reportStat, inputStat] = await Promise.all([handle.stat(), stat(input)]);
    const isInput = reportStat.dev === inputStat.dev && reportStat.ino === inputStat.ino;
    if (isInput) throw new TextError(fileErrors.cannotWrite(report, runTexts.isInputFile));
    if (!canOverwrite && reportStat.isFile() && reportStat.size > 0) {
      throw new TextError(fileErrors.cannotWrite(report, runTexts.existsAlready));
    }
  } finally {
    await handle.close();
  }
}

/** Writes the report; returns null, or a line that explains why it cannot be written. */
export async function writeReport(report: string, content: string | Buffer): Promise<Text | null> {
  try {
    await writeFile(report, content);
    return null;
  } catch (error) {
    return fileErrors.cannotWrite(report, describeFileError(error));
  }
}
