import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Format } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';

/** An opened file, or standard input. */
export interface Input {
  readonly stream: Readable;
  readonly format: Format;
  /** null: it is not known beforehand. */
  readonly totalBytes: number | null;
  readonly bytesRead: () => number;
  /** The file for what of it is rejected. */
  readonly rejectsPath: string;
}

const STDIN = '-';

const formats: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/**
 * Opens the file to import (`-`: standard input). Throws an OperatorError if it cannot be read, if its format is not
 * known, or if the rejected records would overwrite it.
 */
export async function openInput(
  file: string,
  { format: namedFormat, rejects: namedRejects }: { readonly format?: Format; readonly rejects?: string },
  stdin: Readable & { readonly fd?: number },
  rejectsEnding = 'ndjson',
): Promise<Input> {
  const format = namedFormat ?? (file === STDIN ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!format) throw new OperatorError('Name the format: --format ndjson, csv or xlsx.');
  const rejectsPath = namedRejects ?? `${file === STDIN ? 'stdin' : file}.rejected.${rejectsEnding}`;
  if (file === STDIN) {
    if (stdin.fd !== undefined) {
      const stats = fstatSync(stdin.fd);
      // Node reads a directory as an empty input.
      if (stats.isDirectory()) throw new OperatorError('Standard input cannot be read: it is a directory');
      await requireOtherFile(stats, rejectsPath);
    }
    return { stream: stdin, format, totalBytes: null, bytesRead: () => 0, rejectsPath };
  }
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new Error('it is a directory');
    await requireOtherFile(stats, rejectsPath);
    const stream = handle.createReadStream();
    const totalBytes = stats.isFile() ? stats.size : null;
    return { stream, format, totalBytes, bytesRead: () => stream.bytesRead, rejectsPath };
  } catch (error) {
    await handle?.close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Throws an OperatorError if the file of rejected records is the input, also through a link. */
async function requireOtherFile(input: Stats, rejectsPath: string): Promise<void> {
  const rejects = await stat(rejectsPath).catch(() => null);
  if (rejects?.isFile() && rejects.dev === input.dev && rejects.ino === input.ino) {
    throw new OperatorError(
      `The rejected records would overwrite the input ${rejectsPath}. Name another file with --rejects.`,
    );
  }
}
