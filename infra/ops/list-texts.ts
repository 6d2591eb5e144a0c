import { printable } from '../printable.ts';

/** The text of one JSON document whose last property is a list of any length, made page by page. */
export async function* listDocument(
  about: object,
  name: string,
  pages: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  const head = Object.entries(about).map(([property, value]) => `  "${property}": ${JSON.stringify(value)},\n`);
  let isEmpty = true;
  // The document begins with the first page: a failure before it is a document of its own.
  for await (const page of pages) {
    for (const entry of page) {
      yield isEmpty ? `{\n${head.join('')}  "${name}": [\n` : ',\n';
      yield JSON.stringify(entry, null, 2).replaceAll(/^/gm, '    ');
      isEmpty = false;
    }
  }
  yield isEmpty ? `{\n${head.join('')}  "${name}": []\n}\n` : '\n  ]\n}\n';
}

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
