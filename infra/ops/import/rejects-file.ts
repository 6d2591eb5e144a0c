import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Session } from '../command.ts';
import { openOutFile, type OutFile, resolveLinks } from '../out-file.ts';
import { describeSystemError, EXIT, type ExitCode } from '../operator-errors.ts';
import { InputError } from './read-records.ts';

const SHOWN_REASONS = 3;
const LINE_FEED = 0x0a;

/**
 * Runs the work of a command that rejects records, prints its report, and returns the exit code. `describe` returns the
 * lines about the input and the results, and the line of an interrupted command. The file of rejected records begins
 * with the content of an earlier run if the work continues that run. It replaces that of an earlier run when it is
 * complete, and not before; without any record, it is removed. A dry run writes and removes no file. Throws an
 * OperatorError for an unusable path, an OutputError if the file cannot be opened, and after the report every error of
 * the work that is no InputError.
 */
export async function runWithRejects(
  { output, dryRun }: Pick<Session, 'output' | 'dryRun'>,
  { path, continues = false }: { readonly path: string; readonly continues?: boolean },
  work: (
    addRejected: (errors: readonly string[]) => void,
    write: (content: string | Uint8Array) => Promise<void>,
  ) => Promise<void>,
  describe: (failure: unknown) => { lines: readonly string[]; interruption: string | null; document: object },
): Promise<ExitCode> {
  const file = dryRun ? null : await openOutFile(path);
  const reasons = new FrequentReasons();
  let count = 0;
  let hasContent = false;
  const add = (errors: readonly string[]) => {
    count += 1;
    reasons.add(errors);
  };
  const write = async (content: string | Uint8Array) => {
    if (!file || content.length === 0) return;
    hasContent = true;
    file.stream.write(content);
    await file.canContinue();
  };

  const earlier = continues ? await stat(path).catch(() => null) : null;
  let end: number | undefined = LINE_FEED;
  for await (const piece of earlier?.isFile() ? createReadStream(path) : []) {
    await write(piece as Buffer);
    end = (piece as Buffer).at(-1);
  }
  if (end !== LINE_FEED) await write('\n');
  let failure: unknown = null;
  try {
    await work(add, write);
  } catch (error) {
    failure = error;
  }
  const fileError = file && (await complete(file, path, hasContent));

  const { lines, interruption, document } = describe(failure);
  const written = count > 0 && file ? path : null;
  const frequent = reasons.top(SHOWN_REASONS);
  for (const line of lines) output.line(line);
  if (fileError) output.error(fileError);
  else if (written) output.line(`The rejected records and the reasons are in ${written}`);
  for (const { reason, records } of frequent) output.line(`  ${records} × ${reason}`);
  if (interruption !== null) output.line(interruption);
  output.document({
    ...document,
    ...(failure instanceof Error && { error: failure.message }),
    interrupted: interruption !== null,
    rejects_file: written,
    ...(fileError && { rejects_error: fileError }),
    frequent_reasons: frequent,
  });
  if (failure && !(failure instanceof InputError)) throw failure;
  if (fileError) return EXIT.failed;
  if (interruption !== null) return EXIT.interrupted;
  return count > 0 || failure ? EXIT.rejected : EXIT.done;
}

/** Waits until the file is on the disk, or removes the file of an earlier run; returns the error if that fails. */
async function complete(file: OutFile, path: string, hasContent: boolean): Promise<string | null> {
  try {
    if (hasContent) await file.complete();
    else {
      // A link to the file remains.
      const target = await resolveLinks(path);
      const stats = await stat(target).catch(() => null);
      if (stats?.isFile()) await rm(target);
    }
    return null;
  } catch (error) {
    const reason = describeSystemError((error as Error).cause ?? error);
    return `The rejected records are not in ${path}: ${reason}. Run the command again to get them.`;
  } finally {
    await file.discard();
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
    const texts = reasons.map((reason) => reason.slice(0, MAX_CHARACTERS));
    for (const [key, [text = '']] of Map.groupBy(texts, (reason) => reason.replaceAll(NUMBER, '0'))) {
      const counted = this.#counted.get(key) ?? { reason: text, records: 0 };
      if (this.#counted.size < MAX_REASONS) this.#counted.set(key, counted);
      counted.reason = replaceDifferentNumbers(counted.reason, text);
      counted.records += 1;
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
