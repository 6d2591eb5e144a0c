import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { printable, printableJson } from '../printable.ts';
import { print, printError } from '../terminal.ts';
import type { HostProcess } from './host-process.ts';
import { Columns, listDocument } from './list-texts.ts';
import { type Style, styleOf } from '../styles.ts';

/** How an entry of a list is shown: as a row below the header, and in a document. */
export interface ListView<Entry> {
  readonly header: readonly string[];
  readonly toRow: (entry: Entry) => readonly string[];
  readonly toDocument: (entry: Entry) => object;
  /** What a document says after the list. */
  readonly end?: (() => object) | undefined;
}

/**
 * Where a command says what it did: lines for people as it goes or, with --json, one document for scripts at its end.
 */
export class Output {
  readonly #host: HostProcess;
  readonly #json: boolean;
  readonly #dryRun: boolean;
  #isTold = false;
  #isClosed = false;

  constructor(host: HostProcess, { json, dryRun }: { json: boolean; dryRun: boolean }) {
    this.#host = host;
    this.#json = json;
    this.#dryRun = dryRun;
    host.stdout.once('error', () => (this.#isClosed = true));
  }

  /** A line for people. */
  line(text: string): void {
    const { stdout, env } = this.#host;
    if (!this.#json) print(styleOutcome(printable(text), styleOf(stdout, env)), stdout);
  }

  /** Rows for people, below their header if they have one, in columns as wide as they must be. */
  table(header: readonly string[] | null, rows: readonly (readonly string[])[]): void {
    this.#rows(new Columns(), header, rows);
  }

  /**
   * A list of any length, page by page: a table for people; for scripts a document that has it after `about`, and
   * before what `end` gives. It ends when nobody reads it any more.
   */
  async list<Entry>(
    about: object,
    name: string,
    pages: AsyncIterable<readonly Entry[]>,
    { header, toRow, toDocument, end }: ListView<Entry>,
  ): Promise<void> {
    if (this.#json) {
      for await (const text of listDocument(about, name, this.#whileRead(pages, toDocument), end)) {
        this.#isTold = true;
        this.#host.stdout.write(printableJson(text));
      }
      return;
    }
    const columns = new Columns();
    // Printed with the first rows, so that it is as wide as they are.
    let waiting: readonly string[] | null = header;
    for await (const page of pages) {
      if (page.length === 0) continue;
      this.#rows(columns, waiting, page.map(toRow));
      waiting = null;
      if (!(await this.isRead())) return;
    }
    this.#rows(columns, waiting, []);
  }

  /** What went wrong with a part of the work; --json tells it in the document. */
  fault(text: string): void {
    const { stderr, env } = this.#host;
    if (!this.#json) printError(styleOutcome(printable(text), styleOf(stderr, env)), stderr);
  }

  /** What to know beside the result; it goes to standard error, for the result may go to a file. */
  note(text: string): void {
    printError(printable(text), this.#host.stderr);
  }

  /** A part of a file that standard output becomes: neither a line for people nor a document. */
  file(text: string): void {
    this.#host.stdout.write(text);
  }

  /** Waits until what was printed has gone out; false: nobody reads it any more. */
  async isRead(): Promise<boolean> {
    const { stdout } = this.#host;
    // A pipe that has closed says so only after the write.
    await setImmediate();
    if (stdout.writableNeedDrain && !this.#isClosed) await once(stdout, 'drain').catch(() => undefined);
    return !this.#isClosed;
  }

  /** Waits until all that was printed has gone out; false: it could not, or nobody reads it any more. */
  async isWritten(): Promise<boolean> {
    const { stdout } = this.#host;
    const failure = await new Promise((resolve) => stdout.write('', resolve));
    return !failure && (await this.isRead());
  }

  /** The one document for scripts. */
  document(document: object): void {
    if (!this.#json) return;
    this.#isTold = true;
    const told = { ...document, ...(this.#dryRun && { dry_run: true }) };
    print(printableJson(JSON.stringify(told, null, 2)), this.#host.stdout);
  }

  /** The document of a command that has failed, unless it has told of itself. */
  failure(error: unknown): void {
    if (!this.#isTold) this.document({ error: error instanceof Error ? error.message : String(error) });
  }

  async *#whileRead<Entry>(pages: AsyncIterable<readonly Entry[]>, toDocument: (entry: Entry) => object) {
    for await (const page of pages) {
      if (!(await this.isRead())) return;
      yield page.map(toDocument);
    }
  }

  #rows(columns: Columns, header: readonly string[] | null, rows: readonly (readonly string[])[]): void {
    if (this.#json) return;
    const { stdout, env } = this.#host;
    const style = styleOf(stdout, env);
    const lines = columns.lines(header ? [header, ...rows] : rows);
    for (const [index, line] of lines.entries()) print(header && index === 0 ? style('bold', line) : line, stdout);
  }
}

const outcomes: ReadonlyMap<string, Parameters<Style>[0]> = new Map([
  ['created', 'green'],
  ['changed', 'yellow'],
  ['left', 'dim'],
  ['rejected', 'red'],
  ['repaired', 'green'],
  ['differs', 'red'],
  ['busy', 'yellow'],
]);

/** A line whose first word says what became of something, with that word in its colour. */
function styleOutcome(line: string, style: Style): string {
  return line.replace(/^[a-z]+(?= {2})/, (word) => {
    const format = outcomes.get(word);
    return format ? style(format, word) : word;
  });
}
