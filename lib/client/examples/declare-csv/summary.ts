import { Big } from 'big.js';
import type { Language, Text } from '../../../domain/language.ts';
import { Columns } from '../../../runtime/columns.ts';
import type { Outcome, Results } from './declare-lines.ts';
import { PortalError } from '../../index.ts';
import type { InvoiceLine } from './read-invoices.ts';
import { runTexts } from './run-texts.ts';

/** Formats the results for people: counts and exact sums by outcome, then every rejected line with its error. */
export function formatSummary(results: Results, language: Language): string[] {
  const translate = (text: Text) => text[language];
  const format = (amount: Big | number) => formatAmount(amount, translate(runTexts.decimalMark));
  const groups = Map.groupBy(results.keys(), (line) => results.get(line)?.outcome);
  const row = (label: Text, lines: readonly InvoiceLine[]) => [
    translate(label),
    String(lines.length),
    format(sumAmounts(lines)),
  ];
  const outcomes = (Object.keys(runTexts.outcomes) as Outcome[]).filter((outcome) => groups.has(outcome));
  const totals = new Columns([1, 2]).lines([
    ['', translate(runTexts.lines), translate(runTexts.amount)],
    ...outcomes.map((outcome) => row(runTexts.outcomes[outcome], groups.get(outcome) ?? [])),
    row(runTexts.total, [...results.keys()]),
  ]);
  const rejected = [...results].flatMap(([{ line, declaration }, { error, outcome }]) => {
    if (outcome !== 'rejected' || !error) return [];
    return [[String(line), declaration.invoice_id, format(declaration.amount), error.code, error.message]];
  });
  if (rejected.length === 0) return totals;
  const { line, invoice, amount, rejectedWith } = runTexts;
  const header = [...[line, invoice, amount, rejectedWith].map(translate), ''];
  return [...totals, '', ...new Columns([0, 2]).lines([header, ...rejected])];
}

function sumAmounts(lines: readonly InvoiceLine[]): Big {
  return lines.reduce((sum, { declaration }) => sum.plus(declaration.amount), new Big(0));
}

/** Formats an amount with all its decimals, and at least two. */
function formatAmount(amount: Big | number, decimalMark: string): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split('.')[1]?.length ?? 0;
  return exact.toFixed(Math.max(2, decimals)).replace('.', decimalMark);
}

/** Describes for people why a call failed: the message of the service, or that of the client in each language. */
export function describeFailure(error: unknown): Text {
  if (!(error instanceof PortalError)) return { en: String(error), es: String(error) };
  const { code, requestId } = error;
  const message = translateMessage(error);
  const request = requestId === null ? { en: '', es: '' } : runTexts.request(requestId);
  return { en: `${code}: ${message.en}${request.en}`, es: `${code}: ${message.es}${request.es}` };
}

function translateMessage({ code, message, status }: PortalError): Text {
  if (code === 'INVALID_RESPONSE') return runTexts.invalidResponse(status);
  if (code !== 'NETWORK_ERROR') return { en: message, es: message };
  const [, ms] = / (\d+) ms/.exec(message) ?? [];
  return ms ? runTexts.timeout(ms) : runTexts.noResponse(/ \(\w+\)/.exec(message)?.[0] ?? '');
}
