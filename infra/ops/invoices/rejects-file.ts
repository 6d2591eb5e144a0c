import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printableJson } from '../../printable.ts';
import { type OutFile, resolveLinks } from '../out-file.ts';
import { describeSystemError } from '../output-error.ts';

/** The file of the records that an import rejects: NDJSON of `{line, reasons, record}`. */
export interface RejectsFile {
  /** True if the file ended within a line, which is ended now. */
  readonly hadDamagedLine: boolean;
  /** Adds a record as it was written (but for escapes) with the reasons why it is rejected. */
  readonly add: (record: SourceRecord, reasons: readonly string[]) => Promise<void>;
  /** Closes the file, and removes it if it is empty. Returns why it is incomplete; null if it is complete. */
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
    const writer = new LineWriter(handle);
    if (hadDamagedLine) await writer.write('\n');
    return {
      hadDamagedLine,
      add({ line, source }, reasons) {
        const json = `{"line":${line},"reasons":${JSON.stringify(reasons)},"record":${source}}`;
        return writer.write(`${printableJson(json)}\n`);
      },
      async close() {
        const failure = await writer.close();
        await removeFile(path, 0);
        return failure;
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
    return incompleteRejects(path, describeSystemError((error as Error).cause ?? error));
  } finally {
    await file.discard();
  }
}

/** Appends whole lines to a file. After the first failure, it cuts off what was written of the line, and stops. */
class LineWriter {
  readonly #handle: FileHandle;
  #failure: string | null = null;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async write(line: string): Promise<void> {
    if (this.#failure !== null) return;
    const { size } = await this.#handle.stat();
    try {
      await this.#handle.appendFile(line);
    } catch (error) {
      this.#failure = describeSystemError(error);
      // A pipe or a device has no size.
      await this.#handle.truncate(size).catch(() => undefined);
    }
  }

  /** Waits until the lines are on the disk. Returns why the file is incomplete; null if it is complete. */
  async close(): Promise<string | null> {
    try {
      if ((await this.#handle.stat()).isFile()) await this.#handle.sync();
    } catch (error) {
      this.#failure ??= describeSystemError(error);
    }
    await this.#handle.close();
    return this.#failure;
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
export function incompleteRejects(path: string, failure: string): string {
  return `Not all rejected records are in ${path}: ${failure}. Run the command again to get all of them.`;
}
