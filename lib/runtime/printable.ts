/**
 * Returns a text that cannot change the display of a terminal: a blank replaces each line break and control character,
 * and invisible characters such as direction marks are removed.
 */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
}

/** Escapes the characters in the texts of a JSON document that could change the display of a terminal. */
export function toPrintableJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.split('').map(escape).join(''),
  );
}

/** The columns of a table, each as wide as the widest cell so far, so that a table of any length can be printed. */
export class Columns {
  readonly #widths: number[] = [];
  readonly #alignedRight: readonly number[];

  constructor(alignedRight: readonly number[] = []) {
    this.#alignedRight = alignedRight;
  }

  lines(rows: readonly (readonly string[])[]): string[] {
    const shown = rows.map((row) => row.map(toPrintable));
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
