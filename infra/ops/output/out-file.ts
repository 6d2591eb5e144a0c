import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { chmod, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Option } from '@commander-js/extra-typings';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { ResultStream } from './result-stream.ts';

export const outOption = new Option(
  '--out <file>',
  'write the result to this file; an existing file is replaced only when the new one is complete',
);

/** A file that a command writes. The command writes a temporary file, which gets the name of the file at the end. */
export class OutFile extends ResultStream {
  declare readonly stream: WriteStream;
  readonly #path: string;
  readonly #target: string | null;

  /** `target` is the file that the temporary file replaces, or null if the stream writes to a pipe or a device. */
  constructor(stream: WriteStream, path: string, target: string | null) {
    super(stream);
    this.#path = path;
    this.#target = target;
    // On a signal, cli.ts calls process.exit, which skips every `finally` but calls this listener.
    if (target !== null) process.on('exit', this.#removeTemporaryFile);
  }

  /** Waits until everything is on the disk, and renames the file. Throws an OutputError if that fails. */
  override async complete(): Promise<void> {
    try {
      await finished(this.stream.end());
      if (this.#target !== null) await rename(this.stream.path, this.#target);
    } catch (error) {
      throw toOutputError(error, this.#path);
    }
  }

  /** Removes the temporary file, so that a file that existed before is unchanged. Has no effect after `complete`. */
  async discard(): Promise<void> {
    this.stream.destroy();
    await finished(this.stream).catch(() => undefined);
    if (this.#target === null) return;
    process.off('exit', this.#removeTemporaryFile);
    this.#removeTemporaryFile();
  }

  readonly #removeTemporaryFile = () => rmSync(this.stream.path, { force: true });
}

/** Opens a file, or the target of a link. Throws an OperatorError for an unusable path, otherwise an OutputError. */
export async function openOutFile(path: string): Promise<OutFile> {
  try {
    const existing = await stat(path).catch(ignoreMissing);
    const isReplaceable = existing === null || existing.isFile();
    const target = isReplaceable ? await resolveLinks(path) : null;
    // Other users of the machine must not read the data of invoices.
    const mode = existing ? existing.mode & 0o777 : 0o600;
    const stream = target === null ? createWriteStream(path) : createTemporaryFile(target, mode);
    const file = new OutFile(stream, path, target);
    await once(stream, 'open');
    // The umask can have removed permissions.
    if (existing && target !== null) await chmod(stream.path, mode);
    return file;
  } catch (error) {
    const outputError = toOutputError(error, path);
    const isUnusablePath = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw isUnusablePath ? new OperatorError(outputError.message, { cause: error }) : outputError;
  }
}

function createTemporaryFile(target: string, mode: number): WriteStream {
  const path = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  return createWriteStream(path, { flags: 'wx', mode, flush: true });
}

/** Replaces the text of a file. Throws an OperatorError or an OutputError, as openOutFile does. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await openOutFile(path);
  try {
    file.stream.write(text);
    await file.complete();
  } finally {
    await file.discard();
  }
}

/** True if two paths lead to the same file, including through symbolic links. The files need not exist. */
export async function isSameFile(path: string, otherPath: string): Promise<boolean> {
  const resolvedPath = await resolveLinks(path).catch(() => path);
  return resolvedPath === (await resolveLinks(otherPath).catch(() => otherPath));
}

export async function hasContent(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => null);
  return file !== null && file.isFile() && file.size > 0;
}

/** Resolves the symbolic links of a path to a file that need not exist. */
export async function resolveLinks(path: string): Promise<string> {
  const existingPath = await realpath(path).catch(ignoreMissing);
  return existingPath ?? join(await realpath(dirname(path)), basename(path));
}

function toOutputError(error: unknown, path: string): OutputError {
  return new OutputError(translate(fileErrors.cannotWrite(path, describeSystemError(error))), { cause: error });
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
