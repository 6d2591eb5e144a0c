import { fstatSync, type Stats } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import { type Format, FORMATS } from '../../../lib/admin/import/read-records.ts';
import { OperatorError } from '../operator-error.ts';
import { DECIMAL_SIGNS } from '../../../lib/spreadsheets/read-amount.ts';

/** An opened file, or a copy of standard input or of a named pipe: it can be read several times. */
export interface Input {
  readonly format: Format;
  /** The file of the rejected records. */
  readonly rejectsPath: string;
  readonly totalBytes: number;
  /** Opens a stream from its beginning. */
  readonly openStream: () => Readable;
  /** Returns how much of the latest stream was read. */
  readonly bytesRead: () => number;
  /** Returns true if the last line has a line end, or the input is empty. */
  readonly endsWithLineEnd: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** The option of every command that reads records from a file. */
export const formatOption = new Option('--format <format>', 'format of the file (default: by its ending)').choices(
  FORMATS,
);

/** The option of every command that reads amounts from a CSV. */
export const decimalOption = new Option(
  '--decimal <sign>',
  'decimal sign of a CSV: comma (1.050,00) or point (1050.00)',
).choices(DECIMAL_SIGNS);

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
 * Opens the file to import (`-`: standard input); `signal` ends the copying of what is no regular file early. Throws an
 * OperatorError if it cannot be read, if its format is not known, or if the rejected records would overwrite it.
 */
export async function openInput(
  file: string,
  { format: namedFormat, rejects: namedRejects }: { readonly format?: Format; readonly rejects?: string },
  stdin: Readable & { readonly fd?: number },
  signal: AbortSignal,
  toRejectsEnding: (format: Format) => string = () => 'ndjson',
): Promise<Input> {
  const isStdin = file === '-';
  const format = namedFormat ?? (isStdin ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!format) throw new OperatorError('The ending of the file is not known. Pass --format ndjson, csv or xlsx.');
  const rejectsPath = namedRejects ?? `${isStdin ? 'stdin' : file}.rejected.${toRejectsEnding(format)}`;
  const opened = isStdin ? null : await open(file).catch((error: Error) => Promise.reject(toUnreadable(file, error)));
  try {
    const fd = opened?.fd ?? stdin.fd;
    const stats = fd === undefined ? null : fstatSync(fd);
    // Node reads a directory as an empty input.
    if (stats?.isDirectory()) throw toUnreadable(file, new Error('it is a directory'));
    if (stats) await requireOtherFile(stats, rejectsPath);
    const handle = opened && stats?.isFile() ? opened : await copyStream(opened?.createReadStream() ?? stdin, signal);
    return { format, rejectsPath, ...readHandle(handle, (await handle.stat()).size) };
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

function toUnreadable(file: string, { message }: Error): OperatorError {
  return new OperatorError(`${file === '-' ? 'Standard input' : `The file ${file}`} cannot be read: ${message}`);
}

/** Copies a stream to a temporary file that has no name any more. */
async function copyStream(stream: Readable, signal: AbortSignal): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  let handle: FileHandle;
  try {
    handle = await open(join(folder, 'input'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
  try {
    await handle.writeFile(addAbortSignal(signal, stream));
  } catch (error) {
    if (!signal.aborted) {
      await handle.close();
      const message = `The input cannot be copied to ${tmpdir()}: ${(error as Error).message}. Nothing was written.`;
      throw new Error(message, { cause: error });
    }
  }
  return handle;
}

function readHandle(handle: FileHandle, totalBytes: number): Omit<Input, 'format' | 'rejectsPath'> {
  let position = 0;
  async function* readPieces(): AsyncGenerator<Buffer> {
    position = 0;
    // Bytes that a program appends meanwhile are not read, so that each pass reads the same.
    while (position < totalBytes) {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, totalBytes - position));
      const { bytesRead } = await handle.read({ buffer, position });
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  return {
    totalBytes,
    openStream: () => Readable.from(readPieces()),
    bytesRead: () => position,
    async endsWithLineEnd() {
      // Two bytes, because in UTF-16 a zero may follow.
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(0, totalBytes - 2));
      return bytesRead === 0 || buffer.includes('\n') || buffer.includes('\r');
    },
    close: () => handle.close(),
  };
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
