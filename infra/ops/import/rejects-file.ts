import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { openOutFile, type OutFile, resolveLinks } from '../out-file.ts';
import { describeSystemError, EXIT, type ExitCode } from '../errors.ts';
import type { Output } from '../output.ts';

const SHOWN_REASONS = 3;
const LINE_FEED = 0x0a;

/** The records that a command rejects. Their file replaces that of an earlier run when it is complete, and not before. */
export class RejectedRecords {
  count = 0;
  readonly #path: string;
  /** Null for a dry run, which writes and removes no file. */
  readonly #file: OutFile | null;
  readonly #reasons = new FrequentReasons();
  #hasContent = false;
  #failure: string | null = null;

  private constructor(path: string, file: OutFile | null) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * Opens the file, with the content of an earlier run if it continues that run. Throws an OperatorError for an unusable
   * path, and an OutputError for any other failure.
   */
  static async open(path: string, { dryRun, continues }: { readonly dryRun: boolean; readonly continues: boolean }) {
    const rejects = new RejectedRecords(path, dryRun ? null : await openOutFile(path));
    const earlier = continues ? await stat(path).catch(() => null) : null;
    if (!earlier?.isFile()) return rejects;
    let end: number | undefined = LINE_FEED;
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      await rejects.write(piece);
      end = piece.at(-1);
    }
    if (end !== LINE_FEED) await rejects.write('\n');
    return rejects;
  }

  add(errors: readonly string[]): void {
    this.count += 1;
    this.#reasons.add(errors);
  }

  /** Writes a part of the file, and waits until the file accepts more. */
  async write(content: string | Uint8Array): Promise<void> {
    if (!this.#file || content.length === 0) return;
    this.#hasContent = true;
    this.#file.stream.write(content);
    await this.#file.canContinue();
  }

  /** Waits until the file is on the disk; without any record, removes the file of an earlier run. */
  async close(): Promise<void> {
    try {
      if (this.#hasContent) await this.#file?.complete();
      else if (this.#file) {
        // A link to the file remains.
        const target = await resolveLinks(this.#path);
        const stats = await stat(target).catch(() => null);
        if (stats?.isFile()) await rm(target);
      }
    } catch (error) {
      const reason = describeSystemError((error as Error).cause ?? error);
      this.#failure = `The rejected records are not in ${this.#path}: ${reason}. Run the command again to get them.`;
    } finally {
      await this.#file?.discard();
    }
  }

  /**
   * Prints the report of a command that has closed the file: lines that describe its input and its result, the rejected
   * records, and `interruption` if the command was interrupted. Returns the exit code.
   */
  report(
    output: Output,
    { lines, interruption, document }: { lines: readonly string[]; interruption: string | null; document: object },
  ): ExitCode {
    const file = this.count > 0 ? this.#file && this.#path : null;
    const frequent = this.#reasons.top(SHOWN_REASONS);
    for (const line of lines) output.line(line);
    if (this.#failure) output.error(this.#failure);
    else if (file) output.line(`The rejected records and the reasons are in ${file}`);
    for (const { reason, records } of frequent) output.line(`  ${records} × ${reason}`);
    if (interruption !== null) output.line(interruption);
    output.document({
      ...document,
      interrupted: interruption !== null,
      rejects_file: file,
      ...(this.#failure && { rejects_error: this.#failure }),
      frequent_reasons: frequent,
    });
    if (this.#failure) return EXIT.failed;
    if (interruption !== null) return EXIT.interrupted;
    return this.count > 0 ? EXIT.rejected : EXIT.done;
  }
}

// A file with invented property names can have any number of reasons, of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

const NUMBER = /\d+/g;

/** Counts the records that are rejected for a reason. Reasons that differ only in their numbers are one reason. */
export class FrequentReasons {
  readonly #counted = new Map<string, { reason: string; records: number }>();

  add(reasons: readonly string[]): void {
    const ofRecord = new Set<object>();
    for (const reason of reasons) {
      const text = reason.slice(0, MAX_CHARACTERS);
      const key = text.replaceAll(NUMBER, '0');
      const counted = this.#counted.get(key) ?? { reason: text, records: 0 };
      if (this.#counted.size < MAX_REASONS) this.#counted.set(key, counted);
      counted.reason = replaceDifferentNumbers(counted.reason, text);
      if (!ofRecord.has(counted)) counted.records += 1;
      ofRecord.add(counted);
    }
  }

  /** Returns the most frequent reasons, with `…` for numbers that differ, and how many records have each. */
  top(count: number) {
    return [...this.#counted.values()].toSorted((a, b) => b.records - a.records).slice(0, count);
  }
}

function replaceDifferentNumbers(reason: string, other: string): string {
  const numbers = (other.match(NUMBER) ?? []).values();
  return reason.replaceAll(/\d+|…/g, (number) => (number === numbers.next().value ? number : '…'));
}
