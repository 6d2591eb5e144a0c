import { fsync, WriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OutputStream } from '../terminal.ts';

/** Waits until everything that was written to a stream has been passed on, and is on the disk if the stream is a file. */
export async function flushStream(stream: OutputStream): Promise<void> {
  await new Promise((resolve) => stream.write('', resolve));
  // A closed pipe reports its error only after the write.
  await setImmediate();
  if (stream.errored) throw stream.errored;
  const { fd } = stream;
  if (stream instanceof WriteStream && fd !== undefined) await promisify(fsync)(fd);
}
