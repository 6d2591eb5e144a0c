import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Format } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';

/** An opened file, or standard input. */
export interface Input {
  /** Opens a stream from its beginning; of what is no regular file, this is possible once. */
  readonly openStream: () => Readable;
  /** The descriptor of a regular file; null for everything else. */
  readonly handle: FileHandle | null;
  readonly format: Format;
  /** null: it is not known beforehand. */
  readonly totalBytes: number | null;
  /** How much of the latest stream was read. */
  readonly bytesRead: () => number;
  readonly close: () => Promise<void>;
  /** The file for what of it is rejected. */
  readonly rejectsPath: string;
}

const STDIN = '-';
const PIECE_BYTES = 65_536;

const formats: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  // list-invoices --json
  '.json': 'ndjson',
};

/**
 * Opens the file to import (`-`: standard input). Throws an OperatorError if it cannot be read, if its format is not
 * known, or if the rejected records would overwrite it.
 */
export async function openInput(
  file: string,
  { format: namedFormat, rejects: namedRejects }: { readonly format?: Format; readonly rejects?: string },
  stdin: Readable & { readonly fd?: number },
  toRejectsEnding: (format: Format) => string = () => 'ndjson',
): Promise<Input> {
  const format = namedFormat ?? (file === STDIN ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!format) throw new OperatorError('Name the format: --format ndjson, csv or xlsx.');
  const rejectsPath = namedRejects ?? `${file === STDIN ? 'stdin' : file}.rejected.${toRejectsEnding(format)}`;
  if (file === STDIN) {
    if (stdin.fd !== undefined) {
      const stats = fstatSync(stdin.fd);
      // Node reads a directory as an empty input.
      if (stats.isDirectory()) throw new OperatorError('Standard input cannot be read: it is a directory');
      await requireOtherFile(stats, rejectsPath);
    }
    const close = async () => void stdin.destroy();
    return { openStream: () => stdin, handle: null, format, totalBytes: null, bytesRead: () => 0, close, rejectsPath };
  }
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new Error('it is a directory');
    await requireOtherFile(stats, rejectsPath);
    return { ...openStreams(handle, stats), format, rejectsPath };
  } catch (error) {
    await handle?.close();
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Returns what reads an opened file; a regular file can be read several times. */
export function openStreams(handle: FileHandle, stats: Stats): Omit<Input, 'format' | 'rejectsPath'> {
  if (!stats.isFile()) {
    const stream = handle.createReadStream();
    const close = async () => void stream.destroy();
    return { openStream: () => stream, handle: null, totalBytes: null, bytesRead: () => stream.bytesRead, close };
  }
  let position = 0;
  async function* readPieces(): AsyncGenerator<Buffer> {
    position = 0;
    // What a program appends meanwhile is left out, so that each pass reads the same.
    while (position < stats.size) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, stats.size - position));
      const { bytesRead } = await handle.read({ buffer, position });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  return {
    openStream: () => Readable.from(readPieces()),
    handle,
    totalBytes: stats.size,
    bytesRead: () => position,
    close: () => handle.close(),
  };
}

/** True if the last line of an input has a line end, or the input is empty. */
export async function endsWithLineEnd({ handle, totalBytes }: Input): Promise<boolean> {
  if (!handle || !totalBytes) return true;
  // Two bytes, because in UTF-16 a zero may follow.
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(0, totalBytes - 2));
  return buffer.includes('\n') || buffer.includes('\r');
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
