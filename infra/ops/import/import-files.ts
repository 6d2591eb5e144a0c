import { randomUUID } from 'node:crypto';
import type { ReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { Option } from '@commander-js/extra-typings';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import { describeSystemError, OperatorError } from '../operator-errors.ts';
import { isSameFile } from '../output/out-file.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type Format, FORMATS } from './read-records.ts';

export const formatOption = new Option(
  '--format <format>',
  'format of the file (default: from the file extension)',
).choices(FORMATS);

/** An opened file, or a copy of standard input, which can be read several times. */
export type Input = Awaited<ReturnType<typeof openInput>>;

/** Opens a file or, for `-`, a copy of standard input. Throws an OperatorError for an unusable file or --rejects. */
export async function openInput(
  file: string,
  options: { readonly format?: Format; readonly rejects?: string },
  stdin: Readable,
  stopSignal: AbortSignal,
  rejectsExtension = 'ndjson',
) {
  const isStdin = file === '-';
  const fileFormat = FORMATS.find((name) => extname(file).toLowerCase() === `.${name}`);
  const defaultFormat = isStdin ? 'ndjson' : fileFormat;
  const format = options.format ?? defaultFormat;
  if (!format) throw new OperatorError(translate(opsTexts.unknownExtension));
  const rejectsPath = options.rejects ?? `${isStdin ? 'stdin' : file}.rejected.${rejectsExtension}`;
  if (await isSameFile(file, rejectsPath)) throw new OperatorError(translate(opsTexts.overwritesInput(rejectsPath)));

  const handle = isStdin ? await copyStream(stdin, stopSignal) : await openFile(file);
  const { size } = await handle.stat();
  let stream: ReadStream | null = null;
  return {
    format,
    rejectsPath,
    totalBytes: size,
    /** Opens a stream from the beginning. Each stream ends at the same byte, even if the file grows. */
    openStream(): Readable {
      stream = handle.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false });
      return stream;
    },
    /** Returns the number of bytes that the latest stream has read. */
    bytesRead: () => stream?.bytesRead ?? 0,
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Copies a stream to a temporary file without a name, which disappears when it is closed. */
async function copyStream(stream: Readable, stopSignal: AbortSignal): Promise<FileHandle> {
  const path = join(tmpdir(), `import-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  try {
    await handle.writeFile(addAbortSignal(stopSignal, stream));
  } catch (error) {
    // After Ctrl-C, the copy is incomplete, but readRecords then yields none of its records.
    if (stopSignal.aborted) return handle;
    await handle.close();
    throw new Error(translate(opsTexts.cannotCopy(tmpdir(), describeSystemError(error))), { cause: error });
  }
  return handle;
}

/** Opens a file. A pipe can be read only once, so it is accepted only as standard input. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path).catch((error: unknown) => {
    throw new OperatorError(translate(fileErrors.cannotRead(path, describeSystemError(error))));
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new OperatorError(translate(fileErrors.cannotRead(path, opsTexts.notAFile)));
}
