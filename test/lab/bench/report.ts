/** A row of a report. Rows without `required` are only for comparison. */
export interface Row {
  readonly name: string;
  /** The values of the columns between the name and `now`. */
  readonly cells?: readonly (string | number)[];
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

/** Prints a report as a table. */
export function printReport({ title, columns = [], measure, rows }: Report): void {
  console.table(
    rows.map(({ name, cells = [], now, required }) => ({
      [title]: name,
      ...Object.fromEntries(columns.map((column, index) => [column, roundNumber(cells[index] ?? '')])),
      [measure]: roundNumber(now),
      ...(required !== undefined && { required: `<= ${required}` }),
    })),
  );
}

/** Rounds a number to three digits. */
function roundNumber(value: string | number): string | number {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value;
}
