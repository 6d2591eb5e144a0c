/** A cell of a table: text, or a number. */
type Cell = string | number;

/** A row of a report. Rows without `required` are only for comparison. */
export interface Row {
  readonly name: string;
  /** The values of the columns between the name and `now`. */
  readonly cells?: readonly Cell[];
  readonly now: number;
  /** The maximum of `now`. */
  readonly required?: number;
}

/** The results of a table of the benchmarks. */
export interface Report {
  readonly title: string;
  /** The names of the columns of `cells`. */
  readonly columns?: readonly string[];
  /** The meaning of `now` and `required`, such as `CPU / Express`. */
  readonly measure: string;
  readonly rows: readonly Row[];
}

/** Formats a report as a table in Markdown, with a column for the maximum if a row has one. */
export function formatReport({ title, columns = [], measure, rows }: Report): string {
  const hasMaximum = rows.some(({ required }) => required !== undefined);
  const header = [title, ...columns, measure, ...(hasMaximum ? ['required'] : [])];
  const body = rows.map(({ name, cells = [], now, required }) => {
    const maximum = required === undefined ? '' : `<= ${formatNumber(required)}`;
    return [name, ...cells, now, ...(hasMaximum ? [maximum] : [])];
  });
  return formatTable(header, body);
}

/** Formats a table in Markdown, its first column as text and the others aligned to the right. */
function formatTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [header, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? formatNumber(cell) : cell.replaceAll('|', String.raw`\|`))),
  );
  const widths = header.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!);
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const [head = [], ...body] = lines.map((cells) => cells.map(pad));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Formats a number with as many decimals as are useful: 0.0025, 1.08, 30.4, 2,870; `-` if it was not measured. */
function formatNumber(value: number): string {
  if (Number.isNaN(value)) return '-';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return Math.abs(value) < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2);
}
