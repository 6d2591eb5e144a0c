import { Columns, toPrintable, toPrintableJson } from '../../lib/runtime/printable.ts';
import { type Style, createStyle, type OutputStream, print, printError } from '../process/terminal.ts';
import { type OutFile, ResultStream } from './out-file.ts';

/** The parts of its process that the command line uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** The conversions of an entry of a list to a row of a table, and to JSON. */
export interface ListView<Entry> {
  readonly header: readonly string[];
  readonly toRow: (entry: Entry) => readonly string[];
  readonly toDocument: (entry: Entry) => object;
  /** Returns the properties of the document after the list, at least one. */
  readonly end?: (() => object) | undefined;
}

/** The output of a command: lines for people as it proceeds or, with --json, one document for scripts at its end. */
export class Output {
  /** True if the result goes to the file of --out, and not to standard output. */
  readonly isFile: boolean;
  readonly #host: HostProcess;
  readonly #options: { readonly json: boolean; readonly dryRun: boolean };
  readonly #result: ResultStream;
  #hasDocument = false;
  #completion: Promise<void> | null = null;

  constructor(host: HostProcess, options: { json: boolean; dryRun: boolean }, outFile: OutFile | null = null) {
    this.isFile = outFile !== null;
    this.#host = host;
    this.#options = options;
    this.#result = outFile ?? new ResultStream(host.stdout);
  }

  line(text: string): void {
    if (!this.#options.json) print(styleOutcome(text, this.#style), this.#result.stream);
  }

  table(header: readonly string[] | null, rows: readonly (readonly string[])[], columns = new Columns()): void {
    if (this.#options.json) return;
    const lines = columns.formatRows(header ? [header, ...rows] : rows);
    if (header) lines[0] = this.#style('bold', lines[0] ?? '');
    for (const line of lines) print(line, this.#result.stream);
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
    const columns = new Columns();
    const start = JSON.stringify({ ...about, [name]: [] }, null, 2).replace(/\]\n\}$/, '');
    let isFirst = true;
    // The header of the table is printed with the first rows, so that its columns have their widths. The document
    // begins with the first entries, so that a failure before them is a document of its own.
    for await (const page of pages) {
      if (page.length === 0) continue;
      if (this.#options.json) {
        const entries = page.map((entry) => JSON.stringify(toDocument(entry), null, 2).replaceAll(/^/gm, '    '));
        this.#writeJson(`${isFirst ? start : ','}\n${entries.join(',\n')}`);
      } else this.table(isFirst ? header : null, page.map(toRow), columns);
      isFirst = false;
      if (!(await this.canContinue())) return;
    }
    if (isFirst) this.table(header, []);
    const rest = end ? JSON.stringify(end(), null, 2).replace('{', ',') : '\n}';
    this.#writeJson(`${isFirst ? start : '\n  '}]${rest}\n`);
  }

  /** Prints an error on standard error, unless --json is present: then the document contains it. */
  error(text: string): void {
    const { stderr, env } = this.#host;
    if (!this.#options.json) printError(styleOutcome(text, createStyle(stderr, env)), stderr);
  }

  note(text: string): void {
    printError(toPrintable(text), this.#host.stderr);
  }

  /** Writes a part of the result, if that is a file of another format. */
  write(data: string | Uint8Array): void {
    this.#result.stream.write(data);
  }

  canContinue(): Promise<boolean> {
    return this.#result.canContinue();
  }

  complete(): Promise<void> {
    return (this.#completion ??= this.#result.complete());
  }

  document(document: object): void {
    const whole = { ...document, ...(this.#options.dryRun && { dry_run: true }) };
    this.#writeJson(`${JSON.stringify(whole, null, 2)}\n`);
  }

  /** Prints the JSON document of a failed command, unless it has already printed one. */
  failure(error: unknown): void {
    if (!this.#hasDocument) this.document({ error: error instanceof Error ? error.message : String(error) });
  }

  #writeJson(text: string): void {
    if (!this.#options.json) return;
    this.#hasDocument = true;
    this.write(toPrintableJson(text));
  }

  get #style(): Style {
    return createStyle(this.#result.stream, this.#host.env);
  }
}

const COLOURS: Readonly<Record<string, Parameters<Style>[0]>> = {
  created: 'green',
  changed: 'yellow',
  left: 'dim',
  rejected: 'red',
  repaired: 'green',
  differs: 'red',
  busy: 'yellow',
};
const OUTCOME = new RegExp(`^(?:${Object.keys(COLOURS).join('|')})(?= {2})`);

/** Makes a line printable, and colours its first word if it names an outcome, such as `created`. */
function styleOutcome(line: string, style: Style): string {
  return toPrintable(line).replace(OUTCOME, (word) => style(COLOURS[word] ?? 'reset', word));
}
