import { Big } from 'big.js';
import type { Language, Text } from '../../../domain/language.ts';
import type { Outcome, Results } from './declare-lines.ts';
import { PortalError } from '../../index.ts';
import type { InvoiceLine } from './read-invoices.ts';
import { runTexts } from './run-texts.ts';

/** What became of the lines, for people: counts and exact sums by outcome, then every rejected line with its reason. */
export function summaryOf(results: Results, language: Language): string[] {
  const say = (text: Text) => text[language];
  const money = (amount: Big | number) => amountText(amount, say(runTexts.decimalMark));
  const groups = Map.groupBy(results.keys(), (line) => results.get(line)?.outcome);
  const row = (label: Text, lines: readonly InvoiceLine[]) => [say(label), String(lines.length), money(sumOf(lines))];
  const counted = (Object.keys(runTexts.outcomes) as Outcome[]).filter((outcome) => groups.has(outcome));
  const totals = alignColumns(
    [
      ['', say(runTexts.lines), say(runTexts.amount)],
      ...counted.map((outcome) => row(runTexts.outcomes[outcome], groups.get(outcome) ?? [])),
      row(runTexts.total, [...results.keys()]),
    ],
    { right: [1, 2] },
  );
  const rejected = [...results].flatMap(
    ([
      {
        line,
        declaration: { invoice_id, amount },
      },
      { error, outcome },
    ]) =>
      outcome === 'rejected' && error ? [[String(line), invoice_id, money(amount), error.code, error.message]] : [],
  );
  if (rejected.length === 0) return totals;
  const { line, invoice, amount, rejectedWith } = runTexts;
  const header = [...[line, invoice, amount, rejectedWith].map(say), ''];
  return [...totals, '', ...alignColumns([header, ...rejected], { right: [0, 2] })];
}

function sumOf(lines: readonly InvoiceLine[]): Big {
  return lines.reduce((sum, { declaration }) => sum.plus(declaration.amount), new Big(0));
}

/** With at least the two decimals of money, and all that it has. */
function amountText(amount: Big | number, decimalMark: string): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split('.')[1]?.length ?? 0;
  return exact.toFixed(Math.max(2, decimals)).replace('.', decimalMark);
}

/** Lines with the cells of each column below each other; these columns to the right, the others to the left. */
function alignColumns(rows: readonly (readonly string[])[], { right }: { right: readonly number[] }): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  const aligned = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => row.map(aligned).join('  ').trimEnd());
}

/** Why a call failed, for people: what the service said, and the client's own words in each language. */
export function reasonOf(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, requestId } = error;
  const message = messageOf(error);
  const request = requestId === null ? { en: '', es: '' } : runTexts.request(requestId);
  return { en: `${code}: ${message.en}${request.en}`, es: `${code}: ${message.es}${request.es}` };
}

function messageOf({ code, message, status }: PortalError): Text {
  if (code === 'INVALID_RESPONSE') return runTexts.strangeAnswer(status);
  if (code !== 'NETWORK_ERROR') return { en: message, es: message };
  const [, ms] = / (\d+) ms/.exec(message) ?? [];
  return ms ? runTexts.noAnswerInTime(ms) : runTexts.noAnswer(/ \(\w+\)/.exec(message)?.[0] ?? '');
}
