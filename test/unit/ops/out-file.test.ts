import { execFileSync } from 'node:child_process';
import fs, { constants, createWriteStream, openSync, readFileSync } from 'node:fs';
import { chmod, lstat, mkdtemp, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OperatorError, OutputError } from '../../../infra/ops/operator-errors.ts';
import { isSameFile, openOutFile, replaceFile } from '../../../infra/ops/output/out-file.ts';
import { ResultStream } from '../../../infra/ops/output/result-stream.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'out-file-'));
  path = join(folder, 'review.csv');
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const listNames = async () => (await readdir(folder)).toSorted();

it('a file of --out keeps its old content until it is complete, and its permissions afterwards', async () => {
  await writeFile(path, 'old');
  // The umask would give a new file fewer permissions.
  await chmod(path, 0o666);
  const file = await openOutFile(path);
  file.stream.write('áé');
  file.stream.write(Uint8Array.of(0, 255));
  expect(await readFile(path, 'utf8')).toBe('old');
  await file.complete();
  await file.discard();
  expect(await readFile(path)).toEqual(Buffer.from([...Buffer.from('áé'), 0, 255]));
  expect((await stat(path)).mode & 0o777).toBe(0o666);
});

it.skipIf(process.platform === 'win32')('a new file of --out is readable for its owner only', async () => {
  await replaceFile(path, 'new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it.each(['write', 'fsync'])('openOutFile throws an OutputError and leaves no file if %s fails', async (call) => {
  await writeFile(path, 'old');
  if (call === 'write') useSmallDisk(7);
  const full = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  if (call === 'fsync') vi.spyOn(fs, 'fsync').mockImplementation((_fd, done) => done(full));
  const failure = await replaceFile(path, '0123456789').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OutputError);
  expect(failure).toHaveProperty('message', expect.stringMatching(/^The file .+review\.csv cannot be written: E/));
  expect([await listNames(), await readFile(path, 'utf8')]).toEqual([['review.csv'], 'old']);
});

it('a file of --out replaces the target of a symbolic link and keeps the link', async () => {
  const target = join(folder, 'target.csv');
  await writeFile(target, 'old');
  await symlink('target.csv', path);
  await replaceFile(path, 'new');
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect([await listNames(), await readFile(target, 'utf8')]).toEqual([['review.csv', 'target.csv'], 'new']);
});

it.skipIf(process.platform === 'win32')('a pipe or a device of --out is not replaced', async () => {
  execFileSync('mkfifo', [path]);
  const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  await replaceFile(path, 'x');
  expect((await stat(path)).isFIFO()).toBe(true);
  expect(String((await reader.read()).buffer.subarray(0, 2))).toBe('x\0');
  await reader.close();
});

it.each(['.', 'missing/review.csv'])('openOutFile throws an OperatorError for the path %s', async (name) => {
  await expect(openOutFile(join(folder, name))).rejects.toThrow(OperatorError);
  expect(await listNames()).toEqual([]);
});

it('isSameFile is true for two paths to one file, by name or by symbolic link', async () => {
  const toPath = (name: string) => join(folder, name);
  expect(await isSameFile(path, join(folder, '.', 'review.csv'))).toBe(true);
  await writeFile(path, '');
  await symlink('review.csv', toPath('linked'));
  expect(await isSameFile(path, toPath('linked'))).toBe(true);
  expect(await isSameFile(path, toPath('other'))).toBe(false);
});

/** Opens standard output as the command line does if it is redirected to a file. */
function openOutput() {
  const stream = createWriteStream('', { fd: openSync(path, 'w') });
  return { stream, result: new ResultStream(stream), text: () => readFileSync(path, 'utf8') };
}

it('an OutputError reports that the disk is full after a part of the text', async () => {
  useSmallDisk(7);
  const { stream, result, text } = openOutput();
  stream.write('0123456789');
  stream.write('and more');
  const message = 'The output is incomplete: ENOSPC: no space left on device, write';
  await expect(result.complete()).rejects.toThrow(new OutputError(message));
  expect(text()).toBe('0123456');
});

/** A pipe whose reader has ended. Like process.stdout, it emits the error after the write and then resets its state. */
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
  await expect(result.complete()).rejects.toThrow('The output is incomplete: EPIPE: the reader has closed the pipe');
  expect(await result.canContinue()).toBe(false);
});
