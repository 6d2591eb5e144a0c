import { rm, stat } from 'node:fs/promises';
import type { Session } from '../command.ts';
import { describeSystemError, EXIT, type ExitCode } from '../operator-errors.ts';
import { openOutFile, type OutFile, resolveLinks } from '../output/out-file.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

/** The maximum number of rejected records that a command prints. The file contains all of them. */
const MAX_PRINTED_RECORDS = 5;
/** The maximum length of a printed record. A record with unknown properties can have any number of errors. */
const MAX_PRINTED_CHARACTERS = 500;

interface CommandReport {
  readonly lines: readonly string[];
  readonly isInterrupted: boolean;
  readonly document: object;
  /** The error that ended the command early; null or undefined if none did. */
  readonly failure: unknown;
}

/**
 * Opens the file of the records that a command rejects. `report` writes the new file over that of an earlier run. If
 * nothing was rejected, it deletes the old one. A dry run has no file. Throws an OperatorError if the path is unusable.
 */
export async function openRejects({ output, dryRun }: Pick<Session, 'output' | 'dryRun'>, path: string) {
  const file = dryRun ? null : await openOutFile(path);
  const printedRecords: string[] = [];
  let count = 0;

  return {
    /** Writes content to the file. The caller also counts each record that the content describes. */
    async write(content: string | Uint8Array): Promise<void> {
      file?.stream.write(content);
      await file?.canContinue();
    },

    /** Counts a rejected record, and keeps the first ones to print them. */
    countRecord(line: number, errors: readonly string[]): void {
      count += 1;
      if (printedRecords.length === MAX_PRINTED_RECORDS) return;
      printedRecords.push(describeRejectedLine(line, errors).slice(0, MAX_PRINTED_CHARACTERS));
    },

    /** Completes the file, prints the results, and returns the exit code. A failure of the command is thrown last. */
    async report({ lines, isInterrupted, document, failure }: CommandReport): Promise<ExitCode> {
      const fileError = file ? await completeFile(file, path, count) : null;
      const writtenPath = count > 0 && file ? path : null;
      for (const line of lines) output.line(line);
      if (fileError !== null) output.error(fileError);
      else if (writtenPath !== null) output.line(translate(opsTexts.rejectedFile(writtenPath)));
      for (const record of printedRecords) output.line(`  ${record}`);
      if (count > printedRecords.length) output.line('  …');
      if (isInterrupted) output.line(translate(opsTexts.interrupted));
      output.document({
        ...document,
        error: failure instanceof Error ? failure.message : undefined,
        interrupted: isInterrupted,
        rejects_file: writtenPath,
        rejects_error: fileError ?? undefined,
        first_rejected: printedRecords,
      });
      if (failure) throw failure;
      if (fileError) return EXIT.failed;
      if (isInterrupted) return EXIT.interrupted;
      return count > 0 ? EXIT.rejected : EXIT.done;
    },
  };
}

/** Describes a rejected line of a file, such as `line 2: invoice_id: is required; system_amount: is required`. */
export function describeRejectedLine(line: number, errors: readonly string[]): string {
  return translate(opsTexts.rejectedLine(line, errors.join('; ')));
}

/** Completes the file or, without rejected records, removes that of an earlier run. Returns the error, or null. */
async function completeFile(file: OutFile, path: string, count: number): Promise<string | null> {
  try {
    if (count > 0) await file.complete();
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
