import { open, stat, writeFile } from 'node:fs/promises';
import { Big } from 'big.js';
import type { Language, Text } from '../../../domain/language.ts';
import { printable } from '../../../runtime/printable.ts';
import type { DetectedFormat } from '../../../spreadsheets/detected-format.ts';
import { TextError } from '../../../spreadsheets/spreadsheet-error.ts';
import { type CsvCell, type CsvDialect, csvLine } from '../../../spreadsheets/write-csv.ts';
import type { LineResult, Results } from './declare-lines.ts';
import type { InvoiceLine } from './read-invoices.ts';
import { runTexts } from './run-texts.ts';

const BOM = '\ufeff';

/** Finds the dialect of the report for a file: that of the file or, for a workbook, that of the language. */
export function findDialect(
  bytes: Uint8Array,
  { origin, style }: DetectedFormat<string>,
  language: Language,
): CsvDialect {
  const form = { lineEnd: '\r\n', protectsNumbers: false };
  if ('sheet' in origin) {
    const decimalSign = runTexts.decimalMark[language];
    return { ...form, mark: BOM, separator: decimalSign === ',' ? ';' : ',', decimalSign };
  }
  const hasBom = Buffer.from(bytes.subarray(0, 3)).toString('latin1') === '\u00ef\u00bb\u00bf';
  return {
    ...form,
    // Only programs such as Excel write a BOM or another encoding than UTF-8.
    mark: hasBom || origin.encoding !== 'UTF-8' ? BOM : '',
    separator: origin.separator,
    decimalSign: style.amounts.marks.includes(',') ? ',' : '.',
  };
}

const COLUMNS: Readonly<Record<string, (line: InvoiceLine, result: LineResult) => CsvCell>> = {
  line: ({ line }) => String(line),
  invoice_id: ({ declaration }) => toText(declaration.invoice_id),
  amount: ({ declaration }) => toDecimal(declaration.amount),
  outcome: (_, { outcome }) => outcome,
  action: (_, { tolerance }) => toText(tolerance?.action),
  difference: (_, { tolerance }) => toDecimal(tolerance?.difference),
  difference_pct: (_, { tolerance }) => toDecimal(tolerance?.difference_pct),
  declaration_id: (_, { declarationId }) => toText(declarationId),
  code: (_, { error }) => toText(error?.code),
  message: (_, { error }) => toText(error?.message),
  request_id: (_, { requestId }) => toText(requestId),
};

/** Formats the result of every line as a CSV in the dialect of the spreadsheet program that wrote the file. */
export function formatReport(results: Results, dialect: CsvDialect): string {
  const rows = [...results].map(([line, result]) => Object.values(COLUMNS).map((toCell) => toCell(line, result)));
  return dialect.mark + [Object.keys(COLUMNS), ...rows].map((cells) => csvLine(cells, dialect)).join('');
}

const toDecimal = (value: number | undefined): CsvCell => (value === undefined ? null : new Big(value));

const toText = (value: string | null | undefined): string => printable(value ?? '');

/** Throws a TextError if the report cannot be written or is the input file. */
export async function checkReportFile(report: string, input: string): Promise<void> {
  const handle = await open(report, 'a').catch((error: unknown) => {
    throw new TextError(runTexts.cannotWrite(report, describeFileError(error)));
  });
  const [reportStat, inputStat] = await Promise.all([handle.stat(), stat(input)]);
  await handle.close();
  if (reportStat.dev === inputStat.dev && reportStat.ino === inputStat.ino) {
    throw new TextError(runTexts.cannotWrite(report, runTexts.isInputFile));
  }
}

/** Writes the report; returns null, or a line that explains why it cannot be written. */
export async function writeReport(report: string, text: string): Promise<Text | null> {
  const reason = await writeFile(report, text).catch(describeFileError);
  return reason ? runTexts.cannotWrite(report, reason) : null;
}

/** Explains a file system error; for a code without a text of its own, with the message of Node. */
export function describeFileError(error: unknown): Text {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, Text>> = runTexts.systemErrors;
  return known[code] ?? { en: message, es: message };
}
