import { Big } from 'big.js';
import { OUTCOMES, type Outcome, type Results } from './line-result.ts';
import type { InvoiceLine } from './parse-invoices.ts';

/** What became of the lines, for people: counts and exact sums by outcome, then every rejected line with its reason. */
export function summaryOf(results: Results): string[] {
  const groups = Map.groupBy(results.keys(), (line) => results.get(line)?.outcome);
  const row = (label: string, lines: readonly InvoiceLine[]) => [label, String(lines.length), sumOf(lines)];
  const counted = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => groups.has(outcome));
  const totals = alignColumns(
    [
      ['', 'Lines', 'Amount'],
      ...counted.map((outcome) => row(OUTCOMES[outcome], groups.get(outcome) ?? [])),
      row('Total', [...results.keys()]),
    ],
    { right: [1, 2] },
  );
  const rejected = [...results].flatMap(([{ line, declaration }, { error, outcome }]) =>
    outcome === 'rejected' && error
      ? [[String(line), declaration.invoice_id, amountText(declaration.amount), error.code, error.message]]
      : [],
  );
  if (rejected.length === 0) return totals;
  const header = ['Line', 'Invoice', 'Amount', 'Rejected with', ''];
  return [...totals, '', ...alignColumns([header, ...rejected], { right: [0, 2] })];
}

function sumOf(lines: readonly InvoiceLine[]): string {
  return amountText(lines.reduce((sum, { declaration }) => sum.plus(declaration.amount), new Big(0)));
}

/** With at least the two decimals of money, and all that it has. */
function amountText(amount: Big | number): string {
  const exact = new Big(amount);
  const decimals = exact.toFixed().split('.')[1]?.length ?? 0;
  return exact.toFixed(Math.max(2, decimals));
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
