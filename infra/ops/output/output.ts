import { Columns, toPrintable, toPrintableJson } from '../../../lib/runtime/printable.ts';
import { type OutputStream, print, printError } from '../../process/terminal.ts';
import type { OutFile } from './out-file.ts';
import { ResultStream } from './result-stream.ts';

/** The parts of a process that the command line uses. */
export interface HostProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The locale of the system, such as `es-AR`; by default English. */
  readonly locale?: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

export type Pages<Entry> = AsyncIterable<readonly Entry[]>;

/** The conversion of a list to the rows of a table or, with --json, to the entries of a document. */
export interface ListView<Entry> {
  readonly header: readonly string[];
  readonly toRow: (entry: Entry) => readonly string[];
  readonly toDocument: (entry: Entry) => object;
  /** Returns the properties of the JSON document that follow the list, at least one. Called after the last entry. */
  readonly end?: (() => object) | undefined;
}

/**
 * The output of a command: lines for people or, with --json, one document for scripts. With --json, `line`, `table` and
 * `error` print nothing. Without it, `document` prints nothing.
 */
export class Output {
  readonly #host: HostProcess;
  readonly #options: { readonly json: boolean; readonly dryRun: boolean };
  /** The stream of the result: the file of --out, by default standard output. */
  readonly #result: ResultStream;
  readonly #outFile: OutFile | null;
  #hasDocument = false;
  /** The first call of `complete` or `keepFile`. Later calls, such as the one of runCommand, have the same result. */
  #completion: Promise<void> | null = null;

  constructor(host: HostProcess, options: { json: boolean; dryRun: boolean }, outFile: OutFile | null = null) {
    this.#host = host;
    this.#options = options;
    this.#outFile = outFile;
    this.#result = outFile ?? new ResultStream(host.stdout);
  }

  line(text: string): void {
    if (!this.#options.json) print(toPrintable(text), this.#result.stream);
  }

  /** Prints a table. Tables with the same `columns` are aligned with each other. */
  table(header: readonly string[] | null, rows: readonly (readonly string[])[], columns = new Columns()): void {
    if (this.#options.json) return;
    const lines = columns.formatRows(header ? [header, ...rows] : rows);
    for (const line of lines) print(line, this.#result.stream);
  }

  document(document: object): void {
    const printed = this.#options.dryRun ? { ...document, dry_run: true } : document;
    this.#writeJson(`${JSON.stringify(printed, null, 2)}\n`);
  }

  /** Prints the JSON document of a failed command, unless a document was already printed. */
  failure(error: unknown): void {
    if (!this.#hasDocument) this.document({ error: error instanceof Error ? error.message : String(error) });
  }

  error(text: string): void {
    if (!this.#options.json) this.note(text);
  }

  /** Prints a line about the result on standard error, also with --json. */
  note(text: string): void {
    printError(toPrintable(text), this.#host.stderr);
  }

  /** Writes a part of a result that is neither lines nor JSON, such as a CSV. */
  write(data: string | Uint8Array): void {
    this.#result.stream.write(data);
  }

  /** Prints a list page by page, in JSON between the properties of `about` and of `view.end`. Stops if a write fails. */
  async list<Entry>(about: object, name: string, pages: Pages<Entry>, view: ListView<Entry>): Promise<void> {
    if (this.#options.json) await this.#listAsJson({ ...about, [name]: [] }, pages, view);
    else await this.#listAsTable(pages, view);
  }

  async #listAsTable<Entry>(pages: Pages<Entry>, { header, toRow }: ListView<Entry>): Promise<void> {
    const columns = new Columns();
    let isFirst = true;
    for await (const page of pages) {
      if (page.length === 0) continue;
      // The header is printed with the first rows, because they determine the widths of its columns.
      this.table(isFirst ? header : null, page.map(toRow), columns);
      isFirst = false;
      if (!(await this.canContinue())) return;
    }
    if (isFirst) this.table(header, []);
  }

  /** Prints the entries as the last list of a document, in which this list is empty. */
  async #listAsJson<Entry>(emptyDocument: object, pages: Pages<Entry>, { toDocument, end }: ListView<Entry>) {
    // For example `{"tenant": "demo.example", "users": [`, on several lines.
    const documentStart = JSON.stringify(emptyDocument, null, 2).slice(0, -']\n}'.length);
    let isFirst = true;
    for await (const page of pages) {
      if (page.length === 0) continue;
      const entries = page.map((entry) => indent(JSON.stringify(toDocument(entry), null, 2)));
      // The document begins with the first entries. If an earlier read fails, the document contains only the error.
      this.#writeJson(`${isFirst ? documentStart : ','}\n${entries.join(',\n')}`);
      isFirst = false;
      if (!(await this.canContinue())) return;
    }
    const listEnd = isFirst ? `${documentStart}]` : '\n  ]';
    // The properties follow the list, so a comma replaces their opening brace.
    const documentEnd = end ? JSON.stringify(end(), null, 2).replace('{', ',') : '\n}';
    this.#writeJson(`${listEnd}${documentEnd}\n`);
  }

  #writeJson(text: string): void {
    if (!this.#options.json) return;
    this.#hasDocument = true;
    this.write(toPrintableJson(text));
  }

  /** Waits until the output accepts more. Returns false if a write has failed, for example to a closed pipe. */
  canContinue(): Promise<boolean> {
    return this.#result.canContinue();
  }

  /** Waits until the result is written. A command calls this method if it prints or changes something afterwards. */
  complete(): Promise<void> {
    this.#completion ??= this.#result.complete();
    return this.#completion;
  }

  /** Leaves the existing file of --out unchanged, and discards what was written for it. Replaces the call of `complete`. */
  async keepFile(): Promise<void> {
    this.#completion ??= this.#outFile?.discard() ?? Promise.resolve();
    await this.#completion;
  }
}

/** Indents the lines of JSON. U+2028 in a string is not the end of a line, but a regular expression would match it. */
function indent(json: string): string {
  return `    ${json.replaceAll('\n', '\n    ')}`;
}
