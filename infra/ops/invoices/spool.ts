import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { type Input, openStreams } from './import-files.ts';

/**
 * Returns an input that can be read several times: a regular file as it is, and everything else (standard input, a named
 * pipe) as a copy in a temporary file that has no name any more. `signal` ends the copying early.
 */
export async function spool(input: Input, signal: AbortSignal): Promise<Input> {
  if (input.handle) return input;
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  let handle: FileHandle;
  try {
    handle = await open(join(folder, 'input'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
  try {
    await handle.writeFile(addAbortSignal(signal, input.openStream()));
  } catch (error) {
    if (!signal.aborted) {
      await handle.close();
      const message = `The input cannot be copied to ${tmpdir()}: ${(error as Error).message}. Nothing was imported.`;
      throw new Error(message, { cause: error });
    }
  }
  const copy = openStreams(handle, await handle.stat());
  const close = async () => void (await Promise.all([copy.close(), input.close()]));
  return { ...input, ...copy, close };
}
