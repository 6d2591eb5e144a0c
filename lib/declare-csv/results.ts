import { open, stat, writeFile } from 'node:fs/promises';
import { Big } from 'big.js';
import type { Language, Text } from '../domain/language.ts';
import { Columns, toPrintable } from '../runtime/printable.ts';
import type { DetectedFormat } from '../client/spreadsheets/read-table.ts';
import { TextError } from '../client/spreadsheets/spreadsheet-error.ts';
import { type CsvCell, type CsvDialect, formatCsvLine } from '../client/spreadsheets/write-csv.ts';
import { PortalError } from '../client/index.ts';
import type { LineResult, Outcome } from './declare-lines.ts';
import { runTexts } from './run-texts.ts';

/** Formats the results for people: counts and exact sums by outcome, then every rejected line with its error. */
export function formatSummary(results: readonly LineResult[], language: Language): string[] {
  const rejectedLines = results.filter(({ outcome }) => outcome === 'rejected');
  const totals = formatTotals(results, language);
  return rejectedLines.length === 0 ? totals : [...totals, '', ...formatRejectedLines(rejectedLines, language)];
}

function formatTotals(results: readonly LineResult[], language: Language): string[] {
  const groups = Map.groupBy(results, ({ outcome }) => outcome);
  const toRow = (label: Text, lines: readonly LineResult[]) => {
    const sum = lines.reduce((total, { declaration }) => total.plus(declaration.amount), new Big(0));
    return [label[language], String(lines.length), formatAmount(sum, language)];
  };
  const outcomeRows = Object.entries(runTexts.outcomes).flatMap(([outcome, label]) => {
    const lines = groups.get(outcome as Outcome);
    return lines ? [toRow(label, lines)] : [];
  });
  const header = ['', runTexts.lines[language], runTexts.amount[language]];
  return new Columns([1, 2]).formatRows([header, ...outcomeRows, toRow(runTexts.total, results)]);
}

function formatRejectedLines(lines: readonly LineResult[], language: Language): string[] {
  const { line: lineText, invoice, amount, rejectedWith } = runTexts;
  const header = [lineText, invoice, amount, rejectedWith].map((text) => text[language]);
  const rows = lines.map(({ line, declaration, error }) => [
    String(line),
    declaration.invoice_id,
    formatAmount(declaration.amount, language),
    error?.code ?? '',
    error?.message ?? '',
  ]);
  return new Columns([0, 2]).formatRows([[...header, ''], ...rows]);
}

/** Formats an amount with all its decimals, and at least two. */
function formatAmount(amount: Big | number, language: Language): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split('.')[1]?.length ?? 0;
  return exact.toFixed(Math.max(2, decimals)).replace('.', runTexts.decimalMark[language]);
}

/** Describes for people why a call failed: the message of the service, or that of the client in each language. */
export function describeFailure(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, message, status, requestId } = error;
  let text: Text = { en: message, es: message };
  if (code === 'INVALID_RESPONSE') text = runTexts.invalidResponse(status);
  // The client writes `No response within 30000 ms.` or `No response (ECONNREFUSED).`
  if (code === 'NETWORK_ERROR') text = runTexts.noResponse(/^No response(.*)\.$/.exec(message)?.[1] ?? '');
  const request = requestId === null ? { en: '', es: '' } : runTexts.request(requestId);
  return { en: `${code}: ${text.en}${request.en}`, es: `${code}: ${text.es}${request.es}` };
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

/** The cells of a report by the heading of their column. */
const REPORT_COLUMNS: Readonly<Record<string, (result: LineResult) => CsvCell>> = {
  line: ({ line }) => String(line),
  invoice_id: ({ declaration }) => toText(declaration.invoice_id),
  amount: ({ declaration }) => toDecimal(declaration.amount),
  outcome: ({ outcome }) => outcome,
  action: ({ tolerance }) => toText(tolerance?.action),
  difference: ({ tolerance }) => toDecimal(tolerance?.difference),
  difference_pct: ({ tolerance }) => toDecimal(tolerance?.difference_pct),
  declaration_id: ({ declarationId }) => toText(declarationId),
  code: ({ error }) => toText(error?.code),
  message: ({ error }) => toText(error?.message),
  request_id: ({ requestId }) => toText(requestId),
};

/** Formats the result of every line as a CSV in the dialect of the spreadsheet program that wrote the file. */
export function formatReport(results: readonly LineResult[], dialect: CsvDialect): string {
  const rows = results.map((result) => Object.values(REPORT_COLUMNS).map((toCell) => toCell(result)));
  return dialect.bom + [Object.keys(REPORT_COLUMNS), ...rows].map((cells) => formatCsvLine(cells, dialect)).join('');
}

const toDecimal = (value: number | undefined): CsvCell => (value === undefined ? null : new Big(value));

const toText = (value: string | null | undefined): string => toPrintable(value ?? '');

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
  const systemErrors: Readonly<Record<string, Text>> = runTexts.systemErrors;
  return systemErrors[code] ?? { en: message, es: message };
}
