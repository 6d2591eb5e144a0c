import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Big } from 'big.js';
import type { FieldSpec } from '../client/spreadsheets/find-columns.ts';
import { type DetectedFormat, readTable } from '../client/spreadsheets/read-table.ts';
import { SpreadsheetError, TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { describeFileError } from '../client/spreadsheets/system-errors.ts';
import { type CsvCell, type CsvDialect, formatCsvLine } from '../client/spreadsheets/write-csv.ts';
import { type ColumnFormat, writeWorkbook } from '../client/spreadsheets/write-workbook.ts';
import type { ToleranceAction } from '../client/index.ts';
import { type Language, LANGUAGES, type Text } from '../domain/language.ts';
import { toPrintable } from '../runtime/printable.ts';
import type { EarlierResults, LineResult, Outcome } from './declare-lines.ts';
import { reportTexts, runTexts } from './run-texts.ts';

type Column = keyof typeof reportTexts.columns;
const COLUMN_NAMES = Object.keys(reportTexts.columns) as Column[];

/** Returns the cells of a result in the order of the columns. */
function toCells(result: LineResult, language: Language): CsvCell[] {
  const { line, declaration, outcome, tolerance, declarationId, error, requestId } = result;
  const cells: Readonly<Record<Column, CsvCell>> = {
    line: new Big(line),
    invoice_id: toText(declaration.invoice_id),
    amount: toDecimal(declaration.amount),
    outcome: reportTexts.outcomes[outcome][language],
    action: toText(tolerance?.action),
    difference: toDecimal(tolerance?.difference),
    difference_pct: toDecimal(tolerance?.difference_pct),
    declaration_id: toText(declarationId),
    code: toText(error?.code),
    message: toText(error?.message),
    request_id: toText(requestId),
  };
  return COLUMN_NAMES.map((name) => cells[name]);
}

const toDecimal = (value: number | undefined): CsvCell => (value === undefined ? null : new Big(value));

const toText = (value: string | null | undefined): string => toPrintable(value ?? '');

/** True if a report is a workbook, by the end of its name. */
const isWorkbookName = (path: string) => /\.xlsx$/i.test(path);

/** Formats the result of every line as a workbook, or as a CSV in the dialect of the program that wrote the file. */
export async function formatReport(
  results: readonly LineResult[],
  path: string,
  dialect: CsvDialect,
  language: Language,
): Promise<string | Buffer> {
  const headings = COLUMN_NAMES.map((name) => reportTexts.columns[name][language]);
  const rows = results.map((result) => toCells(result, language));
  if (!isWorkbookName(path)) {
    return dialect.bom + [headings, ...rows].map((cells) => formatCsvLine(cells, dialect)).join('');
  }
  const kinds: Partial<Record<Column, ColumnFormat['kind']>> = {
    amount: 'amount',
    difference: 'amount',
    difference_pct: 'percentage',
  };
  const columns = COLUMN_NAMES.map((name, index) => [headings[index] ?? name, { kind: kinds[name] ?? 'text' }]);
  return writeWorkbook(runTexts.report[language], Object.fromEntries(columns) as Record<string, ColumnFormat>, rows);
}

/** Finds the dialect of the report: the dialect of the file or, for a workbook, the usual one of the language. */
export function findDialect({ origin, style }: DetectedFormat<string>, language: Language): CsvDialect {
  const common = { lineEnd: '\r\n', protectsNumbers: false };
  if ('sheet' in origin) {
    const decimalSign = runTexts.decimalMark[language];
    return { ...common, bom: '\ufeff', separator: decimalSign === ',' ? ';' : ',', decimalSign };
  }
  // Only programs such as Excel write a BOM, or use another encoding than UTF-8.
  const bom = origin.encoding === 'UTF-8' && !origin.hasBom ? '' : '\ufeff';
  return { ...common, bom, separator: origin.separator, decimalSign: style.marks.includes(',') ? ',' : '.' };
}

/** Reads the results of a report, also if a spreadsheet program has saved it; null if the file is not a report. */
export async function readReport(bytes: Buffer): Promise<EarlierResults | null> {
  const results = new Map<string, Omit<LineResult, 'line'>>();
  const toSpec = (name: Column): FieldSpec => ({ kind: 'display', headings: [reportTexts.columns[name].es] });
  const fields = Object.fromEntries(COLUMN_NAMES.map((name) => [name, toSpec(name)])) as Record<Column, FieldSpec>;
  try {
    const { rows } = await readTable(Readable.from([bytes]), { fields, required: COLUMN_NAMES });
    for await (const { values } of rows) {
      const read = (column: Column) => values.get(column)?.value ?? undefined;
      const readNumber = (column: Column) => Number(read(column)?.replace(',', '.'));
      const outcomes = Object.entries(reportTexts.outcomes) as [Outcome, Text][];
      const word = read('outcome');
      const [outcome] = outcomes.find(([, text]) => LANGUAGES.some((language) => text[language] === word)) ?? [];
      const invoiceId = read('invoice_id');
      if (!outcome || !invoiceId) continue;
      const [difference, percent] = [readNumber('difference'), readNumber('difference_pct')];
      const tolerance = { action: read('action') as ToleranceAction, difference, difference_pct: percent };
      results.set(invoiceId, {
        declaration: { invoice_id: invoiceId, amount: readNumber('amount') },
        outcome,
        tolerance: Number.isFinite(difference) && Number.isFinite(percent) ? tolerance : undefined,
        declarationId: read('declaration_id'),
        requestId: read('request_id'),
      });
    }
    return results;
  } catch (error) {
    if (error instanceof SpreadsheetError) return null;
    throw error;
  }
}

/** Reads the report of an earlier run; throws a TextError if it cannot be read, or is not a report. */
export async function readEarlierResults(path: string): Promise<EarlierResults> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new TextError(runTexts.cannotRead(path, describeFileError(error)));
  });
  const results = await readReport(bytes);
  if (!results) throw new TextError(runTexts.cannotRead(path, runTexts.isNoReport));
  return results;
}

/**
 * Throws a TextError if the report cannot be written, is the input file or, without `canOverwrite`, is a file that is
 * neither empty nor a report.
 */
export async function checkReportFile(report: string, input: string, canOverwrite: boolean): Promise<void> {
  const handle = await open(report, 'a+').catch((error: unknown) => {
    throw new TextError(runTexts.cannotWrite(report, describeFileError(error)));
  });
  try {
    const [reportStat, inputStat] = await Promise.all([handle.stat(), stat(input)]);
    const isInput = reportStat.dev === inputStat.dev && reportStat.ino === inputStat.ino;
    if (isInput) throw new TextError(runTexts.cannotWrite(report, runTexts.isInputFile));
    if (canOverwrite || !reportStat.isFile() || reportStat.size === 0) return;
    if (!(await readReport(await handle.readFile()))) {
      throw new TextError(runTexts.cannotWrite(report, runTexts.isOtherFile));
    }
  } finally {
    await handle.close();
  }
}

/** Writes the report; returns null, or a line that explains why it cannot be written. An earlier report then remains. */
export async function writeReport(report: string, content: string | Buffer): Promise<Text | null> {
  const path = await realpath(report).catch(() => report);
  const isReplaceable = await stat(path).then(
    (stats) => stats.isFile(),
    () => true,
  );
  const temporaryPath = isReplaceable ? `${path}.tmp` : path;
  try {
    await writeFile(temporaryPath, content);
    if (isReplaceable) await rename(temporaryPath, path);
    return null;
  } catch (error) {
    if (isReplaceable) await rm(temporaryPath).catch(() => undefined);
    return runTexts.cannotWrite(report, describeFileError(error));
  }
}
