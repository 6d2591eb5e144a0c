import { rm, stat } from 'node:fs/promises';
import type { Session } from '../command.ts';
import { describeSystemError, EXIT, type ExitCode } from '../operator-errors.ts';
import { openOutFile, type OutFile, resolveLinks } from '../output/out-file.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { InputError } from './read-records.ts';

const SHOWN_REASONS = 3;
// The limits of memory, because a file with invented property names can have any number of reasons, of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

export type Rejects = Awaited<ReturnType<typeof openRejects>>;

interface CommandReport {
  readonly lines: readonly string[];
  readonly isInterrupted: boolean;
  readonly document: object;
  /** The error that ended the command before its end; otherwise null or undefined. */
  readonly failure: unknown;
}

/**
 * Opens the file of the records that a command rejects. It replaces the file of an earlier run only when it is complete.
 * If no record is rejected, the earlier file is removed. A dry run writes and removes no file. Throws an OperatorError
 * for an unusable path, and an OutputError if the file cannot be opened.
 */
export async function openRejects({ output, dryRun }: Pick<Session, 'output' | 'dryRun'>, path: string) {
  const file = dryRun ? null : await openOutFile(path);
  const reasons = new FrequentReasons();
  let count = 0;
  let hasContent = false;

  return {
    async write(content: string | Uint8Array): Promise<void> {
      if (!file || content.length === 0) return;
      hasContent = true;
      file.stream.write(content);
      await file.canContinue();
    },

    /** Counts a rejected record, which `write` adds to the file. */
    add(errors: readonly string[]): void {
      count += 1;
      reasons.add(errors);
    },

    /** Prints the results after it completes the file. Then throws the failure, unless it is an InputError. */
    async report({ lines, isInterrupted, document, failure }: CommandReport): Promise<ExitCode> {
      const fileError = file ? await completeFile(file, path, hasContent) : null;
      const writtenPath = count > 0 && file ? path : null;
      const frequentReasons = reasons.listTop(SHOWN_REASONS);
      for (const line of lines) output.line(line);
      if (fileError !== null) output.error(fileError);
      else if (writtenPath !== null) output.line(translate(opsTexts.rejectedFile(writtenPath)));
      for (const { reason, records } of frequentReasons) output.line(`  ${records} × ${reason}`);
      if (isInterrupted) output.line(translate(opsTexts.interrupted));
      output.document({
        ...document,
        error: failure instanceof Error ? failure.message : undefined,
        interrupted: isInterrupted,
        rejects_file: writtenPath,
        rejects_error: fileError ?? undefined,
        frequent_reasons: frequentReasons,
      });
      if (failure && !(failure instanceof InputError)) throw failure;
      if (fileError) return EXIT.failed;
      if (isInterrupted) return EXIT.interrupted;
      return count > 0 || failure ? EXIT.rejected : EXIT.done;
    },
  };
}

/** Completes the file or, if it is empty, removes the file of an earlier run. Returns the error of a failure, or null. */
async function completeFile(file: OutFile, path: string, hasContent: boolean): Promise<string | null> {
  try {
    if (hasContent) await file.complete();
    else await removeFile(path);
    return null;
  } catch (error) {
    const reason = describeSystemError((error as Error).cause ?? error);
    return translate(opsTexts.cannotWriteRejected(path, reason));
  } finally {
    await file.discard();
  }
}

/** Removes a file, but not a symbolic link to it, nor a pipe or a device. */
async function removeFile(path: string): Promise<void> {
  const target = await resolveLinks(path);
  const stats = await stat(target).catch(() => null);
  if (stats?.isFile()) await rm(target);
}

/** Counts the records that are rejected for a reason. Reasons that differ only in their numbers are one reason. */
export class FrequentReasons {
  readonly #counts = new Map<string, { reason: string; records: number }>();

  /** Counts the reasons of a rejected record, each once. */
  add(reasons: readonly string[]): void {
    const shortReasons = reasons.map((reason) => reason.slice(0, MAX_CHARACTERS));
    // For example, `invoice_id: 17 is …` and `invoice_id: 18 is …` have the key `invoice_id: … is …`.
    const reasonsByKey = Map.groupBy(shortReasons, (reason) => reason.replaceAll(/\d+/g, '…'));
    for (const [key, [reason = '']] of reasonsByKey) {
      const count = this.#counts.get(key) ?? { reason, records: 0 };
      if (this.#counts.size < MAX_REASONS) this.#counts.set(key, count);
      if (count.reason !== reason) count.reason = key;
      count.records += 1;
    }
  }

  /** Returns the most frequent reasons, with `…` for numbers that differ, and the number of records with each reason. */
  listTop(count: number) {
    return [...this.#counts.values()].toSorted((a, b) => b.records - a.records).slice(0, count);
  }
}
