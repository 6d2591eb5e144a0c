import type { CellFormat, Column } from './columns.ts';
import type { FileColumn } from './headings.ts';
import { type Cell, judgeAmounts, withoutSign } from './read-amount.ts';
import { judgeDates } from './read-date.ts';
import type { Row, Separator } from './read-rows.ts';

// Thousands or decimals: it shows neither.
const UNCERTAIN = /^\d{1,3}[.,]\d{3}$/;

/** Finds how a file writes its cells, by all of them: what one cell leaves open, another may prove. */
export function judgeFormat(names: readonly FileColumn[], body: readonly Row[], separator: Separator): CellFormat {
  // Where decimals have a comma, spreadsheets separate columns by something else.
  const decimalComma = separator !== ',';
  const cells = cellsOf('amount', names, body);
  const amounts = judgeAmounts(cells, { decimalComma });
  const numbers = cells.map(({ text }) => withoutSign(text));
  const marks = amounts.proof ? ([','] as const) : ([',', '.'] as const);
  return {
    decimalComma,
    decimalMarks: marks.filter((mark) => numbers.some((text) => text.includes(mark) && !UNCERTAIN.test(text))),
    amounts,
    dates: judgeDates(cellsOf('invoice_date', names, body), { slashes: decimalComma }),
  };
}

function cellsOf(column: Column, names: readonly FileColumn[], body: readonly Row[]): readonly Cell[] {
  const index = names.indexOf(column);
  return body.map(({ line, cells }) => ({ line, text: cells[index] ?? '' }));
}
