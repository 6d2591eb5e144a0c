import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printableJson } from '../../../lib/runtime/printable.ts';
import { type OutFile, resolveLinks } from '../out-file.ts';
import { describeSystemError } from '../output-error.ts';

/** The file of the records that an import rejects: NDJSON of `{line, reasons, record}`. */
interface RejectsFile {
  /** True if the file ended within a line, which is ended now. */
  readonly hadDamagedLine: boolean;
  /** Adds a record as it was written (but for escapes) with the reasons why it is rejected. */
  readonly add: (record: SourceRecord, reasons: readonly string[]) => Promise<void>;
  /**
   * Waits until the records are on the disk, and removes the file if it is empty. Returns an error message if it is
   * incomplete, else null.
   */
  readonly close: () => Promise<string | null>;
}

/** The file of a dry run, which writes and removes nothing. */
export const NO_REJECTS_FILE: RejectsFile = {
  hadDamagedLine: false,
  add: async () => undefined,
  close: async () => null,
};

/** Opens the file, empty or to append to it. Throws an OperatorError if it cannot be written. */
export async function openRejectsFile(path: string, { append }: { readonly append: boolean }): Promise<RejectsFile> {
  try {
    const handle = await open(path, append ? 'a+' : 'w');
    const hadDamagedLine = await endsWithinLine(handle);
    let failure: string | null = null;
    // After the first failure, what was written of the line is cut off, and no more lines are written.
    const write = async (line: string): Promise<void> => {
      if (failure !== null) return;
      const { size } = await handle.stat();
      try {
        await handle.appendFile(line);
      } catch (error) {
        failure = describeSystemError(error);
        // A pipe or a device has no size.
        await handle.truncate(size).catch(() => undefined);
      }
    };
    if (hadDamagedLine) await write('\n');
    return {
      hadDamagedLine,
      add({ line, source }, reasons) {
        const json = `{"line":${line},"reasons":${JSON.stringify(reasons)},"record":${source}}`;
        return write(`${printableJson(json)}\n`);
      },
      async close() {
        try {
          if ((await handle.stat()).isFile()) await handle.sync();
        } catch (error) {
          failure ??= describeSystemError(error);
        }
        await handle.close();
        await removeFile(path, 0);
        return failure === null ? null : describeIncomplete(path, failure);
      },
    };
  } catch (error) {
    throw new OperatorError(`The file ${path} cannot be written: ${describeSystemError(error)}`);
  }
}

/**
 * Writes all rejected records at once; without any, the file of an earlier run is removed. Returns why the file is not
 * written; null if it is.
 */
export async function writeRejectsFile(
  file: OutFile,
  path: string,
  content: string | Uint8Array,
): Promise<string | null> {
  try {
    if (content.length === 0) {
      await removeFile(path, Number.POSITIVE_INFINITY);
      return null;
    }
    file.stream.write(content);
    await file.commit();
    return null;
  } catch (error) {
    return describeIncomplete(path, describeSystemError((error as Error).cause ?? error));
  } finally {
    await file.discard();
  }
}

async function endsWithinLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}

/** Removes a file (not a link to it) that has at most this size. */
async function removeFile(path: string, maxSize: number): Promise<void> {
  const target = await resolveLinks(path);
  const stats = await stat(target).catch(() => null);
  if (stats?.isFile() && stats.size <= maxSize) await rm(target);
}

/** Describes that a file of rejected records is incomplete, and what to do. */
function describeIncomplete(path: string, failure: string): string {
  return `Not all rejected records are in ${path}: ${failure}. Run the command again to get all of them.`;
}

// Reasons with names that a file makes up could be without number and of any length.
const MAX_REASONS = 1000;
const MAX_CHARACTERS = 200;

const NUMBER = /0x[\da-f]+|\d+/gi;

/** Counts the records that are rejected for a reason; reasons that differ in their numbers only are one. */
export class FrequentReasons {
  readonly #counted = new Map<string, { reason: string; records: number }>();

  /** Adds the reasons of one record. */
  add(reasons: readonly string[]): void {
    const ofRecord = new Set<string>();
    for (const reason of reasons) {
      const text = reason.slice(0, MAX_CHARACTERS);
      const key = text.replaceAll(NUMBER, '0');
      const known = this.#counted.get(key);
      if (known) known.reason = withoutDifferent(known.reason, text);
      else if (this.#counted.size < MAX_REASONS) this.#counted.set(key, { reason: text, records: 0 });
      ofRecord.add(key);
    }
    for (const key of ofRecord) {
      const counted = this.#counted.get(key);
      if (counted) counted.records += 1;
    }
  }

  /** Returns the most frequent reasons, with `…` for numbers that differ, and how many records have each. */
  top(count: number) {
    return [...this.#counted.values()].toSorted((a, b) => b.records - a.records).slice(0, count);
  }
}

function withoutDifferent(reason: string, other: string): string {
  const numbers = (other.match(NUMBER) ?? []).values();
  return reason.replaceAll(/0x[\da-f]+|\d+|…/gi, (number) => (number === numbers.next().value ? number : '…'));
}
