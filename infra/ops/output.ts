import { print, printError } from '../terminal.ts';
import type { HostProcess } from './host-process.ts';
import { printable, printableJson } from '../printable.ts';

/**
 * Where a command says what it did: lines for people as it goes or, with --json, one document for scripts at its end.
 */
export class Output {
  readonly #host: HostProcess;
  readonly #json: boolean;
  readonly #dryRun: boolean;
  #isTold = false;

  constructor(host: HostProcess, { json, dryRun }: { json: boolean; dryRun: boolean }) {
    this.#host = host;
    this.#json = json;
    this.#dryRun = dryRun;
  }

  /** A line for people. */
  line(text: string): void {
    if (!this.#json) print(printable(text), this.#host.stdout);
  }

  /** Lines for people, in columns as wide as they must be. */
  table(table: readonly (readonly string[])[]): void {
    const rows = table.map((row) => row.map(printable));
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    for (const row of rows)
      this.line(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      );
  }

  /** What went wrong with a part of the work; --json tells it in the document. */
  fault(text: string): void {
    if (!this.#json) printError(printable(text), this.#host.stderr);
  }

  /** The one document for scripts. */
  document(document: object): void {
    if (!this.#json) return;
    this.#isTold = true;
    print(
      printableJson(JSON.stringify({ ...document, ...(this.#dryRun && { dry_run: true }) }, null, 2)),
      this.#host.stdout,
    );
  }

  /** The document of a command that has failed, unless it has told of itself. */
  failure(error: unknown): void {
    if (!this.#isTold) this.document({ error: error instanceof Error ? error.message : String(error) });
  }
}
