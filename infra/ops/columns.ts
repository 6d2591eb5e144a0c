import { printable } from '../printable.ts';

/** The columns of a table, each as wide as the widest cell so far, so that a table of any length can be printed. */
export class Columns {
  readonly #widths: number[] = [];

  /** The lines of these rows. */
  lines(rows: readonly (readonly string[])[]): string[] {
    const shown = rows.map((row) => row.map(printable));
    for (const row of shown) {
      for (const [column, cell] of row.entries()) {
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, cell.length);
      }
    }
    return shown.map((row) =>
      row
        .map((cell, column) => cell.padEnd(this.#widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
