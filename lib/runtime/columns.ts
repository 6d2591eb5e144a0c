import { printable } from './printable.ts';

/** The columns of a table, each as wide as the widest cell so far, so that a table of any length can be printed. */
export class Columns {
  readonly #widths: number[] = [];
  readonly #alignedRight: readonly number[];

  constructor(alignedRight: readonly number[] = []) {
    this.#alignedRight = alignedRight;
  }

  lines(rows: readonly (readonly string[])[]): string[] {
    const shown = rows.map((row) => row.map(printable));
    for (const row of shown) {
      for (const [column, { length }] of row.entries()) {
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, length);
      }
    }
    return shown.map((row) => {
      const cells = row.map((cell, column) => {
        const width = this.#widths[column] ?? 0;
        return this.#alignedRight.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      });
      return cells.join('  ').trimEnd();
    });
  }
}
