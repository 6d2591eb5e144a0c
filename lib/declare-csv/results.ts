import { Big } from 'big.js';
import { decimalMark, type Language, type Text } from '../domain/language.ts';
import { Columns } from '../runtime/printable.ts';
import { PortalError } from '../client/index.ts';
import { getExpectedOutcome, type LineResult, type Outcome } from './declare-lines.ts';
import { runTexts, SPANISH_MESSAGES } from './run-texts.ts';

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

const MAX_DIFFERENCES = 5;

/** Formats what declaring the checked lines would do: totals, and the largest differences from the system amounts. */
export function formatExpectation(results: readonly LineResult[], language: Language): string[] {
  const expected = results.map((result) => {
    const { outcome, tolerance } = result;
    return outcome === 'not_declared' && tolerance ? { ...result, outcome: getExpectedOutcome(tolerance) } : result;
  });
  const compared = results.flatMap((result) => (result.tolerance ? [{ ...result, ...result.tolerance }] : []));
  const outsideCount = compared.filter((result) => result.within_tolerance === false).length;
  const differing = compared.filter(({ difference }) => difference !== 0);
  const largest = differing.toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const rows = largest.slice(0, MAX_DIFFERENCES).map(({ line, declaration, difference, difference_pct: percent }) => {
    const numbers = [declaration.amount, difference, new Big(percent).round(2)];
    const amounts = numbers.map((number) => formatAmount(number, language));
    return [String(line), declaration.invoice_id, ...amounts];
  });
  const { line, invoice, amount, difference } = runTexts;
  const header = [...[line, invoice, amount, difference].map((text) => text[language]), '%'];
  const table = new Columns([0, 2, 3, 4]).formatRows([header, ...rows]);
  const differences = rows.length > 0 ? ['', runTexts.largest[language], ...table] : [];
  return [...formatSummary(expected, language), '', runTexts.outside(outsideCount)[language], ...differences];
}

/** Formats an amount with all its decimals, and at least two. */
function formatAmount(amount: Big | number, language: Language): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split('.')[1]?.length ?? 0;
  return exact.toFixed(Math.max(2, decimals)).replace('.', decimalMark[language]);
}

/** Describes for people why a call failed: the message of the service, or that of the client in each language. */
export function describeFailure(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, message, status, requestId } = error;
  let text: Text = { en: message, es: SPANISH_MESSAGES.get(message) ?? message };
  // An invoice that does not exist is the error of a line.
  if (code === 'NOT_FOUND') text = runTexts.unknownPath;
  if (code === 'INVALID_RESPONSE') text = runTexts.invalidResponse(status);
  // The client writes `No response within 30000 ms.` or `No response (ECONNREFUSED).`
  if (code === 'NETWORK_ERROR') text = runTexts.noResponse(/^No response(.*)\.$/.exec(message)?.[1] ?? '');
  const request = requestId === null ? { en: '', es: '' } : runTexts.request(requestId);
  return { en: `${code}: ${text.en}${request.en}`, es: `${code}: ${text.es}${request.es}` };
}
