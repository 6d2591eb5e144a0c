import { printable } from '../printable.ts';

/**
 * The text of one JSON document with a list of any length, made page by page. The list stands between the properties
 * `about`, and those that `end` gives when all pages are read.
 */
export async function* listDocument(
  about: object,
  name: string,
  pages: AsyncIterable<readonly object[]>,
  end: () => object = () => ({}),
): AsyncGenerator<string> {
  const head = propertiesOf(about).map((property) => `  ${property},\n`);
  let isEmpty = true;
  // The document begins with the first page: a failure before it is a document of its own.
  for await (const page of pages) {
    for (const entry of page) {
      yield isEmpty ? `{\n${head.join('')}  "${name}": [\n` : ',\n';
      yield JSON.stringify(entry, null, 2).replaceAll(/^/gm, '    ');
      isEmpty = false;
    }
  }
  const tail = `${propertiesOf(end())
    .map((property) => `,\n  ${property}`)
    .join('')}\n}\n`;
  yield isEmpty ? `{\n${head.join('')}  "${name}": []${tail}` : `\n  ]${tail}`;
}

/** The properties of an object within the document, each as `"name": value`. */
function propertiesOf(object: object): string[] {
  return Object.entries(object).map(([name, value]) => {
    return `"${name}": ${JSON.stringify(value, null, 2).replaceAll(/\n/g, '\n  ')}`;
  });
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
