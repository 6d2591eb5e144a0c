/** A cell: text, or a number. */
export type Cell = string | number;

/** A line of a report; without `wanted` it is there to compare with. */
export interface Row {
  readonly name: string;
  /** For the columns between the name and `now`. */
  readonly cells?: readonly Cell[];
  readonly now: number;
  /** The most that it may be. */
  readonly wanted?: number;
}

/** What a table of the benchmarks found out. */
export interface Report {
  /** The name of its mark in the guide. */
  readonly name: string;
  /** What the rows are. */
  readonly title: string;
  /** The names of the columns of `cells`. */
  readonly columns?: readonly string[];
  /** What `now` and `wanted` are, as in `ratio to the floor`. */
  readonly measure: string;
  readonly rows: readonly Row[];
}

/**
 * Whether a row is as it is wanted; undefined when nothing is wanted of it, or it was not measured. A figure counts as
 * it is shown.
 */
export function isMet({ now, wanted }: Row): boolean | undefined {
  return wanted === undefined || Number.isNaN(now) ? undefined : Number(shown(now).replaceAll(',', '')) <= wanted;
}

/** A number with as many decimals as tell something: 0.0025, 1.08, 30.4, 2,870; `-` when it was not measured. */
export function shown(value: number): string {
  if (Number.isNaN(value)) return '-';
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return Math.abs(value) < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2);
}
