import { type Cell, isMet, type Report, type Row, shown } from './report.ts';

/** A report as a table in Markdown: what is now, what is wanted, and whether that is met. */
export function markdownOf({ title, columns = [], measure, rows }: Report): string {
  const judged = rows.some(({ wanted }) => wanted !== undefined);
  const header = [title, ...columns, measure, ...(judged ? ['wanted', 'met'] : [])];
  const body = rows.map((row) => [row.name, ...(row.cells ?? []), row.now, ...(judged ? judgement(row) : [])]);
  return alignedTable(header, body);
}

/** A table in Markdown, its first column as text and the others aligned to the right. */
function alignedTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [header, ...rows].map((row) =>
    row.map((cell) => escaped(typeof cell === 'number' ? shown(cell) : cell)),
  );
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const align = (cells: readonly string[]) =>
    widths.map((width, column) =>
      column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
    );
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head = [], ...body] = lines.map(align);
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Prints a table in Markdown. */
export function printTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  console.log(`${alignedTable(header, rows)}\n`);
}

function judgement(row: Row): Cell[] {
  const met = isMet(row);
  return met === undefined ? ['', ''] : [`<= ${shown(row.wanted ?? 0)}`, met ? 'yes' : 'no'];
}

function escaped(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
