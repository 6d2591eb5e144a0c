import { Columns, printable, printableJson } from '../../lib/runtime/printable.ts';
import { type Style, styleOf, type OutputStream, print, printError } from '../terminal.ts';
import type { HostProcess } from './host-process.ts';
import type { OutFile } from './out-file.ts';
import { ResultStream } from './result-stream.ts';

/** The conversions of an entry of a list to a row of a table, and to JSON. */
export interface ListView<Entry> {
  readonly header: readonly string[];
  readonly toRow: (entry: Entry) => readonly string[];
  readonly toDocument: (entry: Entry) => object;
  /** The properties of the document after the list. */
  readonly end?: (() => object) | undefined;
}

/**
 * The output of a command: lines for people as the command proceeds or, with --json, one document for scripts at its
 * end.
 */
export class Output {
  readonly #host: HostProcess;
  readonly #json: boolean;
  readonly #dryRun: boolean;
  /** The file that gets the result; null: standard output gets it. */
  readonly #outFile: OutFile | null;
  /** The stream that gets the result. */
  readonly #stream: OutputStream;
  readonly #result: ResultStream;
  #hasDocument = false;
  #completion: Promise<void> | null = null;

  constructor(host: HostProcess, { json, dryRun }: { json: boolean; dryRun: boolean }, outFile: OutFile | null = null) {
    this.#host = host;
    this.#json = json;
    this.#dryRun = dryRun;
    this.#outFile = outFile;
    this.#stream = outFile?.stream ?? host.stdout;
    this.#result = new ResultStream(this.#stream);
  }

  /** True if the result goes to the file of --out, and not to standard output. */
  get isFile(): boolean {
    return this.#outFile !== null;
  }

  /** Prints a line for people. */
  line(text: string): void {
    if (!this.#json) print(styleOutcome(printable(text), styleOf(this.#stream, this.#host.env)), this.#stream);
  }

  /** Prints rows below their header, in aligned columns. */
  table(header: readonly string[] | null, rows: readonly (readonly string[])[]): void {
    this.#rows(new Columns(), header, rows);
  }

  /**
   * Prints a list of any length page by page: a table, or with --json a document that contains it between `about` and
   * the properties of `end`. Ends early if the output accepts no more.
   */
  async list<Entry>(
    about: object,
    name: string,
    pages: AsyncIterable<readonly Entry[]>,
    { header, toRow, toDocument, end }: ListView<Entry>,
  ): Promise<void> {
    if (this.#json) {
      for await (const text of listDocument(about, name, this.#whileAccepted(pages, toDocument), end)) {
        this.#hasDocument = true;
        this.#stream.write(printableJson(text));
      }
      return;
    }
    const columns = new Columns();
    // The header is printed with the first rows, so that its columns have their widths.
    let waiting: readonly string[] | null = header;
    for await (const page of pages) {
      if (page.length === 0) continue;
      this.#rows(columns, waiting, page.map(toRow));
      waiting = null;
      if (!(await this.canContinue())) return;
    }
    this.#rows(columns, waiting, []);
  }

  /** Prints an error on standard error, unless --json is present: then the document contains it. */
  error(text: string): void {
    const { stderr, env } = this.#host;
    if (!this.#json) printError(styleOutcome(printable(text), styleOf(stderr, env)), stderr);
  }

  /** Prints a note on standard error. */
  note(text: string): void {
    printError(printable(text), this.#host.stderr);
  }

  /** Writes a part of the result, if that is a file of another format. */
  write(data: string | Uint8Array): void {
    this.#stream.write(data);
  }

  /** Waits until the output accepts more; false if writing has failed. */
  canContinue(): Promise<boolean> {
    return this.#result.canContinue();
  }

  /** Waits until the whole result is written and on the disk; throws an OutputError if it is not. */
  complete(): Promise<void> {
    return (this.#completion ??= this.#outFile ? this.#outFile.commit() : this.#result.flush());
  }

  /** Prints the JSON document of the command, with --json. */
  document(document: object): void {
    if (!this.#json) return;
    this.#hasDocument = true;
    const whole = { ...document, ...(this.#dryRun && { dry_run: true }) };
    print(printableJson(JSON.stringify(whole, null, 2)), this.#stream);
  }

  /** Prints the JSON document of a failed command, unless it has already printed one. */
  failure(error: unknown): void {
    if (!this.#hasDocument) this.document({ error: error instanceof Error ? error.message : String(error) });
  }

  async *#whileAccepted<Entry>(pages: AsyncIterable<readonly Entry[]>, toDocument: (entry: Entry) => object) {
    for await (const page of pages) {
      if (!(await this.canContinue())) return;
      yield page.map(toDocument);
    }
  }

  #rows(columns: Columns, header: readonly string[] | null, rows: readonly (readonly string[])[]): void {
    if (this.#json) return;
    const stream = this.#stream;
    const style = styleOf(stream, this.#host.env);
    const lines = columns.lines(header ? [header, ...rows] : rows);
    for (const [index, line] of lines.entries()) print(header && index === 0 ? style('bold', line) : line, stream);
  }
}

/**
 * Yields the text of one JSON document with a list of any length, page by page. The list is between the properties
 * of `about` and the properties that `end` returns when all pages have been read.
 */
export async function* listDocument(
  about: object,
  name: string,
  pages: AsyncIterable<readonly object[]>,
  end: () => object = () => ({}),
): AsyncGenerator<string> {
  let separator = JSON.stringify({ ...about, [name]: [] }, null, 2).replace(/\]\n\}$/, '\n');
  // The document begins with the first page: a failure before it is a document of its own.
  for await (const page of pages) {
    for (const entry of page) {
      yield separator + JSON.stringify(entry, null, 2).replaceAll(/^/gm, '    ');
      separator = ',\n';
    }
  }
  const isEmpty = separator !== ',\n';
  const rest = JSON.stringify({ ...(isEmpty && about), [name]: [], ...end() }, null, 2);
  yield `${isEmpty ? rest : rest.replace(`{\n  ${JSON.stringify(name)}: [`, '\n  ')}\n`;
}

const OUTCOMES: ReadonlyMap<string, Parameters<Style>[0]> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['left', 'dim'],
  ['rejected', 'red'],
  ['repaired', 'green'],
  ['differs', 'red'],
  ['busy', 'yellow'],
]);

/** Colours the first word of a line if it names an outcome, such as `created`. */
function styleOutcome(line: string, style: Style): string {
  return line.replace(/^[a-z]+(?= {2})/, (word) => {
    const format = OUTCOMES.get(word);
    return format ? style(format, word) : word;
  });
}
