/** Replaces line breaks and control characters with blanks, and removes invisible characters such as direction marks. */
export function toPrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replaceAll(/\p{Cf}/gu, '');
}

/** Escapes the control characters that JSON allows, and invisible characters such as direction marks. */
export function toPrintableJson(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // A character above U+FFFF has two UTF-16 units, and each of them is escaped.
  return json.replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.split('').map(escapeUnit).join(''),
  );
}

/** The columns of a table, each as wide as the widest cell so far, so that a table of any length can be printed. */
export class Columns {
  readonly #widths: number[] = [];
  readonly #rightAligned: readonly number[];

  /** `rightAligned` contains the indexes of the columns whose cells are aligned right, such as amounts. */
  constructor(rightAligned: readonly number[] = []) {
    this.#rightAligned = rightAligned;
  }

  formatRows(rows: readonly (readonly string[])[]): string[] {
    const printableRows = rows.map((row) => row.map(toPrintable));
    for (const row of printableRows) {
      for (const [column, { length }] of row.entries()) {
        this.#widths[column] = Math.max(this.#widths[column] ?? 0, length);
      }
    }
    return printableRows.map((row) => {
      const cells = row.map((cell, column) => {
        const width = this.#widths[column] ?? 0;
        return this.#rightAligned.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      });
      return cells.join('  ').trimEnd();
    });
  }
}
