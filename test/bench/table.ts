/** A cell: text, or a number that is shown with two decimals. */
export type Cell = string | number;

/** Prints a table in Markdown, its first column as text and the others aligned to the right. */
export function printTable(header: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [header, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell)));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const print = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
  const align = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  const [head = [], ...body] = lines.map(align);
  print(head);
  print(widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  for (const cells of body) print(cells);
  console.log('');
}
