import { execFileSync } from 'node:child_process';
import fs, { constants } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isSameFile, openOutFile, replaceFile } from '../../../infra/ops/out-file.ts';
import { OutputError } from '../../../infra/ops/errors.ts';
import { OperatorError } from '../../../infra/ops/errors.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'out-file-'));
  path = join(folder, 'review.csv');
});
afterEach(() => void vi.restoreAllMocks());

const names = async () => (await readdir(folder)).toSorted();

it('a file of --out contains strings and bytes in order, and has its name only when it is complete', async () => {
  const file = await openOutFile(path);
  file.stream.write('áé');
  file.stream.write(Uint8Array.of(0, 255));
  expect(await names()).not.toContain('review.csv');
  await file.commit();
  expect(await readFile(path)).toEqual(Buffer.from([...Buffer.from('áé'), 0, 255]));
  expect(await names()).toEqual(['review.csv']);
  await file.discard();
  expect(await names()).toEqual(['review.csv']);
});

it('a file of --out keeps the old content until it is complete, and the permissions afterwards', async () => {
  await writeFile(path, 'old');
  // More than the umask leaves to a new file.
  await chmod(path, 0o666);
  const file = await openOutFile(path);
  file.stream.write('new');
  expect(await readFile(path, 'utf8')).toBe('old');
  await file.commit();
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o666);
});

it('a discarded file of --out is removed, and an existing file is unchanged', async () => {
  await writeFile(path, 'old');
  const file = await openOutFile(path);
  file.stream.write('new');
  await file.discard();
  expect([await names(), await readFile(path, 'utf8')]).toEqual([['review.csv'], 'old']);
  expect(file.stream.closed).toBe(true);
});

it('a file of --out is complete although the disk takes only 3 bytes at a time', async () => {
  useSmallDisk(100);
  await replaceFile(path, '0123456789');
  expect(await readFile(path, 'utf8')).toBe('0123456789');
});

it.each(['write', 'fsync'])('openOutFile throws an OutputError and leaves no file if %s fails', async (call) => {
  await writeFile(path, 'old');
  if (call === 'write') useSmallDisk(7);
  const full = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  if (call === 'fsync') vi.spyOn(fs, 'fsync').mockImplementation((_fd, done) => done(full));
  const failure = await replaceFile(path, '0123456789').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OutputError);
  expect(failure).toHaveProperty('message', expect.stringMatching(/^The file .+review\.csv cannot be written: E/));
  expect([await names(), await readFile(path, 'utf8')]).toEqual([['review.csv'], 'old']);
});

it('a file of --out is removed with an OutputError if it cannot be renamed', async () => {
  const file = await openOutFile(path);
  await mkdir(path);
  await expect(file.commit()).rejects.toThrow(OutputError);
  await file.discard();
  expect(await names()).toEqual(['review.csv']);
});

it.each([true, false])(
  'a file of --out replaces the target of a symbolic link and keeps the link (target exists: %s)',
  async (exists) => {
    const target = join(folder, 'target.csv');
    if (exists) await writeFile(target, 'old');
    await symlink('target.csv', path);
    await replaceFile(path, 'new');
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect([await names(), await readFile(target, 'utf8')]).toEqual([['review.csv', 'target.csv'], 'new']);
  },
);

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
  expect(await names()).toEqual([]);
});

it('two paths are the same file if they lead to one, by name or by link', async () => {
  const named = (name: string) => join(folder, name);
  expect(await isSameFile(path, join(folder, '.', 'review.csv'))).toBe(true);
  await symlink('missing', named('dangling'));
  expect(await isSameFile(named('dangling'), named('missing'))).toBe(true);
  await writeFile(path, '');
  await symlink('review.csv', named('linked'));
  await link(path, named('hard'));
  expect(await isSameFile(path, named('linked'))).toBe(true);
  expect(await isSameFile(path, named('hard'))).toBe(true);
  expect(await isSameFile(path, named('other'))).toBe(false);
});
