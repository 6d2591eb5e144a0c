import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, fsync, rmSync, WriteStream } from 'node:fs';
import { chmod, readlink, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Option } from '@commander-js/extra-typings';
import type { OutputStream } from '../process/terminal.ts';
import { describeSystemError, OperatorError, OutputError } from './operator-errors.ts';

export const outOption = new Option(
  '--out <file>',
  'write the result to this file; an existing file is replaced only when the new one is complete',
);

/** A stream that gets the result of a command. It keeps the first error, which process.stdout itself forgets. */
export class ResultStream {
  readonly stream: OutputStream;
  #error: Error | null = null;

  constructor(stream: OutputStream) {
    this.stream = stream;
    stream.on('error', (error: Error) => (this.#error ??= error));
  }

  /** Waits until the stream accepts more; false if a write has failed, for instance because the reader has ended. */
  async canContinue(): Promise<boolean> {
    // A closed pipe reports its error only after the write.
    await setImmediate();
    if (this.stream.writableNeedDrain && !this.#error) await once(this.stream, 'drain').catch(() => undefined);
    return this.#error === null;
  }

  /** Waits until everything is passed on and, in a file, on the disk; throws an OutputError if a part was lost. */
  async complete(): Promise<void> {
    const failure = await new Promise<Error | null | undefined>((done) => this.stream.write('', done));
    await setImmediate();
    const error = this.#error ?? failure ?? (await this.#sync().catch((reason: Error) => reason));
    if (error) throw new OutputError(`The output is incomplete: ${describeSystemError(error)}`, { cause: error });
  }

  async #sync(): Promise<void> {
    const { fd } = this.stream;
    if (this.stream instanceof WriteStream && fd !== undefined) await promisify(fsync)(fd);
  }
}

interface TemporaryFile {
  readonly rename: () => Promise<void>;
  readonly remove: () => void;
}

/** A file that a command writes. It appears under its name when it is complete, and not before. */
export class OutFile extends ResultStream {
  readonly #path: string;
  readonly #temporary: TemporaryFile | undefined;

  /** Without a temporary file, the stream writes to the path itself: a pipe or a device, which cannot be replaced. */
  constructor(stream: WriteStream, path: string, temporary?: TemporaryFile) {
    super(stream);
    this.#path = path;
    this.#temporary = temporary;
  }

  /** Waits until everything is on the disk and gives the file its name; throws an OutputError if that fails. */
  override async complete(): Promise<void> {
    try {
      await finished(this.stream.end());
      await this.#temporary?.rename();
    } catch (error) {
      throw toOutputError(error, this.#path);
    }
  }

  /** Removes what was written; a file that existed before is unchanged. After `complete`, changes nothing. */
  async discard(): Promise<void> {
    (this.stream as WriteStream).destroy();
    await finished(this.stream).catch(() => undefined);
    this.#temporary?.remove();
  }
}

/**
 * Opens a file for writing. The content goes to a temporary file beside it, which replaces it at the end. A symbolic
 * link remains, and its target is replaced. Throws an OperatorError for an unusable path, and an OutputError for any
 * other failure.
 */
export async function openOutFile(path: string): Promise<OutFile> {
  try {
    const existing = await stat(path).catch(ignoreMissing);
    if (existing && !existing.isFile()) return new OutFile(await openStream(path, { flags: 'w' }), path);
    const target = await resolveLinks(path);
    const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
    const remove = () => rmSync(temporary, { force: true });
    // Also when the command fails, or when a signal ends the process by its exit (see cli.ts).
    process.on('exit', remove);
    const mode = existing ? existing.mode & 0o777 : 0o666;
    const stream = await openStream(temporary, { flags: 'wx', mode, flush: true });
    if (existing) await chmod(temporary, mode);
    return new OutFile(stream, path, {
      rename: () => rename(temporary, target),
      remove() {
        process.off('exit', remove);
        remove();
      },
    });
  } catch (error) {
    const isUnusable = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isUnusable) throw new OperatorError(toOutputError(error, path).message, { cause: error });
    throw toOutputError(error, path);
  }
}

export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await openOutFile(path);
  try {
    file.stream.write(text);
    await file.complete();
  } finally {
    await file.discard();
  }
}

/** True if two paths name the same file, also through symbolic links; neither file has to exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [target, otherTarget] = await Promise.all([one, other].map((path) => resolveLinks(path).catch(() => path)));
  return target === otherTarget;
}

/** Resolves symbolic links, also one whose target does not exist yet. */
export async function resolveLinks(path: string): Promise<string> {
  const existing = await realpath(path).catch(ignoreMissing);
  if (existing !== null) return existing;
  const folder = await realpath(dirname(path));
  const target = await readlink(path).catch(() => null);
  return target === null ? resolve(folder, basename(path)) : resolveLinks(resolve(folder, target));
}

async function openStream(path: string, options: Parameters<typeof createWriteStream>[1]): Promise<WriteStream> {
  const stream = createWriteStream(path, options);
  await once(stream, 'open');
  return stream;
}

function toOutputError(error: unknown, path: string): OutputError {
  return new OutputError(`The file ${path} cannot be written: ${describeSystemError(error)}`, { cause: error });
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
