import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { chmod, readlink, realpath, rename, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { basename, dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Option } from '@commander-js/extra-typings';
import { describeSystemError, OperatorError, OutputError } from './errors.ts';

/** The option of every command whose result can be long. */
export const outOption = new Option(
  '--out <file>',
  'write the result to this file; an existing file is replaced only when the new one is complete',
);

/** A file that a command writes. It appears under its name when it is complete, and not before. */
export interface OutFile {
  /** Takes strings and bytes. A failed write destroys the stream, and `commit` reports it. */
  readonly stream: Writable;
  /** Waits until everything is on the disk and gives the file its name; throws an OutputError if that fails. */
  readonly commit: () => Promise<void>;
  /** Removes what was written; a file that existed before is unchanged. */
  readonly discard: () => Promise<void>;
}

/**
 * Opens a file for writing. The content goes to a temporary file beside it, which replaces it at the end. A symbolic
 * link remains, and its target is replaced. Throws an OperatorError for an unusable path, and an OutputError for any
 * other failure.
 *
 * @example
 * const file = await openOutFile('review.csv');
 * file.stream.write('a,b\n');
 * await file.commit();
 */
export async function openOutFile(path: string): Promise<OutFile> {
  try {
    const existing = await stat(path).catch(ignoreMissing);
    if (existing && !existing.isFile()) return await openDevice(path);
    const target = await resolveLinks(path);
    const temporary = `${target}.${randomBytes(4).toString('hex')}.tmp`;
    const remove = () => rmSync(temporary, { force: true });
    // A signal ends the process by its exit, too (see cli.ts).
    process.on('exit', remove);
    const discard = async (stream?: Writable) => {
      if (stream) await destroyStream(stream);
      process.off('exit', remove);
      remove();
    };
    try {
      const mode = existing ? existing.mode & 0o777 : 0o666;
      const stream = await openStream(temporary, { flags: 'wx', mode, flush: true });
      if (existing) await chmod(temporary, mode);
      return {
        stream,
        async commit() {
          await endStream(stream, path);
          await rename(temporary, target).catch((error: unknown) => Promise.reject(toOutputError(error, path)));
          process.off('exit', remove);
        },
        discard: () => discard(stream),
      };
    } catch (error) {
      await discard();
      throw error;
    }
  } catch (error) {
    const isUnusable = ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isUnusable) throw new OperatorError(toOutputError(error, path).message, { cause: error });
    throw toOutputError(error, path);
  }
}

/** Replaces a file with a text: completely, or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await openOutFile(path);
  try {
    file.stream.write(text);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** True if two paths name the same file, also through links; neither file has to exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => null)));
  if (first && second) return first.dev === second.dev && first.ino === second.ino;
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

/** Opens a pipe or a device such as /dev/null, which cannot be replaced. */
async function openDevice(path: string): Promise<OutFile> {
  const stream = await openStream(path, { flags: 'w' });
  return { stream, commit: () => endStream(stream, path), discard: () => destroyStream(stream) };
}

async function openStream(path: string, options: Parameters<typeof createWriteStream>[1] & object): Promise<Writable> {
  const stream = createWriteStream(path, options);
  await once(stream, 'open');
  // `finished` reports the error when the stream ends.
  stream.on('error', () => undefined);
  return stream;
}

async function endStream(stream: Writable, path: string): Promise<void> {
  stream.end();
  await finished(stream).catch((error: unknown) => Promise.reject(toOutputError(error, path)));
}

async function destroyStream(stream: Writable): Promise<void> {
  stream.destroy();
  await finished(stream).catch(() => undefined);
}

function toOutputError(error: unknown, path: string): OutputError {
  return new OutputError(`The file ${path} cannot be written: ${describeSystemError(error)}`, { cause: error });
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
