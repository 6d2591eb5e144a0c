import { type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import type { Format } from '../../../lib/admin/import/read-records.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { printableJson } from '../../printable.ts';

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
 * Opens what is to be imported (`-`: standard input); throws an OperatorError when it cannot be read, or its format is
 * not known.
 */
export async function openInput(
  file: string,
  { format: namedFormat, rejects: namedRejects }: { readonly format?: Format; readonly rejects?: string },
  stdin: Readable,
  rejectsEnding = 'ndjson',
): Promise<Input> {
  const format = namedFormat ?? (file === STDIN ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!format) throw new OperatorError('Name the format: --format ndjson, csv or xlsx.');
  const rejectsPath = namedRejects ?? `${file === STDIN ? 'stdin' : file}.rejected.${rejectsEnding}`;
  if (file === STDIN) return { stream: stdin, format, totalBytes: null, bytesRead: () => 0, rejectsPath };
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new Error('it is a directory');
    const rejects = await stat(rejectsPath).catch(() => null);
    if (rejects?.dev === stats.dev && rejects.ino === stats.ino) throw new Error('it is where --rejects would go');
    const stream = handle.createReadStream();
    const totalBytes = stats.isFile() ? stats.size : null;
    return { stream, format, totalBytes, bytesRead: () => stream.bytesRead, rejectsPath };
  } catch (error) {
    await handle?.close();
    throw new OperatorError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * The file of rejected records, NDJSON of `{line, reasons, record}`: begins it anew, or appends to what it holds. Throws
 * an OperatorError when it cannot be written.
 */
export async function openRejects(path: string, { append }: { readonly append: boolean }) {
  const handle = await open(path, append ? 'a' : 'w').catch((error: Error) => {
    throw new OperatorError(`The file ${path} cannot be written: ${error.message}`);
  });
  return {
    /** Adds a record as it was written, but for escapes, with the reasons why it is rejected. */
    async add({ line, source }: SourceRecord, reasons: readonly string[]) {
      const json = `{"line":${line},"reasons":${JSON.stringify(reasons)},"record":${source}}`;
      await handle.write(`${printableJson(json)}\n`);
    },
    /** Leaves no file when nothing was rejected. */
    async close() {
      await handle.close();
      const stats = await lstat(path);
      if (stats.isFile() && stats.size === 0) await rm(path);
    },
  };
}
