import fs, { createWriteStream, openSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { OutputError } from '../../../infra/ops/errors.ts';
import { ResultStream } from '../../../infra/ops/result-stream.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Opens standard output as the command line does when it is a file. */
async function openOutput() {
  const path = join(await mkdtemp(join(tmpdir(), 'output-')), 'out');
  const stream = createWriteStream('', { fd: openSync(path, 'w') });
  return { stream, result: new ResultStream(stream), text: () => readFileSync(path, 'utf8') };
}

it('an OutputError reports that the disk is full after a part of the text', async () => {
  useSmallDisk(7);
  const { stream, result, text } = await openOutput();
  stream.write('0123456789');
  stream.write('and more');
  const message = 'The output is incomplete: ENOSPC: no space left on device, write';
  await expect(result.flush()).rejects.toThrow(new OutputError(message));
  expect(text()).toBe('0123456');
});

it('an OutputError reports that the text has not reached the disk', async () => {
  const { stream, result } = await openOutput();
  vi.spyOn(fs, 'fsync').mockImplementation((_fd, done) => done(new Error('EIO: i/o error, fsync')));
  syncBuiltinESMExports();
  stream.write('0123456789');
  await expect(result.flush()).rejects.toThrow(OutputError);
});

/** A pipe whose reader has ended. As process.stdout, it reports that after the write, and then forgets it. */
class ClosedPipe extends Writable {
  override _write(_text: unknown, _encoding: unknown, done: () => void) {
    done();
    setImmediate(() => this.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    done(error);
    Reflect.apply(Reflect.get(this, '_undestroy') as () => void, this, []);
  }
}

it('an OutputError reports that the reader of a pipe has ended', async () => {
  const pipe = new ClosedPipe();
  const result = new ResultStream(pipe);
  pipe.write('0123456789');
  await expect(result.flush()).rejects.toThrow('The output is incomplete: EPIPE: the reader has closed the pipe');
  expect(await result.canContinue()).toBe(false);
});

it('a command does not wait for a reader that has ended', async () => {
  const pipe = new Writable({
    highWaterMark: 1,
    write: () => setTimeout(() => pipe.destroy(new Error('EPIPE')), 5),
  });
  const result = new ResultStream(pipe);
  pipe.write('0123456789');
  expect(await result.canContinue()).toBe(false);
});
