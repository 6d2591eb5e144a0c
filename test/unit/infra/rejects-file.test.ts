import { mkdtemp, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openOutFile } from '../../../infra/ops/out-file.ts';
import { openRejectsFile, writeRejectsFile } from '../../../infra/ops/invoices/rejects-file.ts';
import { failAppend } from '../../support/fakes/fail-append.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';

let path: string;
beforeEach(async () => void (path = join(await mkdtemp(join(tmpdir(), 'rejects-')), 'rejects')));
afterEach(() => void vi.restoreAllMocks());

const record = (line: number) => ({ line, source: '{}' }) as never;
const lineOf = (line: number) => `{"line":${line},"reasons":["x"],"record":{}}\n`;

it('a file of rejected records ends with the last whole line when the disk becomes full within one', async () => {
  const file = await openRejectsFile(path, { append: false });
  await file.add(record(1), ['x']);
  await failAppend();
  await file.add(record(2), ['x']);
  await file.add(record(3), ['x']);
  expect(await file.close()).toContain('ENOSPC: no space left on device, write');
  expect(await readFile(path, 'utf8')).toBe(lineOf(1));
});

it('a failure to bring the rejected records to the disk is reported', async () => {
  const file = await openRejectsFile(path, { append: false });
  await file.add(record(1), ['x']);
  const handle = await open(path);
  vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockRejectedValueOnce(new Error('EIO: i/o error, fsync'));
  await handle.close();
  expect(await file.close()).toContain('EIO: i/o error, fsync');
});

it.each([
  ['whole', lineOf(1), false, lineOf(1)],
  ['damaged', '{"line":1,"rea', true, '{"line":1,"rea\n'],
  ['missing', '', false, ''],
])('a record that is appended after a %s line is on a line of its own', async (_, before, hadDamagedLine, kept) => {
  await writeFile(path, before);
  const file = await openRejectsFile(path, { append: true });
  await file.add(record(2), ['x']);
  expect([file.hadDamagedLine, await file.close()]).toEqual([hadDamagedLine, null]);
  expect(await readFile(path, 'utf8')).toBe(kept + lineOf(2));
});

it('no file remains when nothing was rejected, and a damaged one is ended', async () => {
  await (await openRejectsFile(path, { append: false })).close();
  expect(await readdir(join(path, '..'))).toEqual([]);
  await writeFile(path, 'damaged');
  await (await openRejectsFile(path, { append: true })).close();
  expect(await readFile(path, 'utf8')).toBe('damaged\n');
});

it('rejected rows are written completely or not at all, and without any the file of an earlier run is removed', async () => {
  await writeFile(path, 'earlier');
  useSmallDisk(7);
  expect(await writeRejectsFile(await openOutFile(path), path, '0123456789')).toMatch(
    /^Not all rejected records are in .+: ENOSPC: no space left on device, write\. Run the command again/,
  );
  expect(await readFile(path, 'utf8')).toBe('earlier');
  vi.restoreAllMocks();
  expect(await writeRejectsFile(await openOutFile(path), path, 'rows')).toBeNull();
  expect(await readFile(path, 'utf8')).toBe('rows');
  expect(await writeRejectsFile(await openOutFile(path), path, '')).toBeNull();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('a link to the file of an earlier run remains when nothing is rejected, without the file', async () => {
  await symlink('target', path);
  await writeFile(path, 'earlier');
  expect(await writeRejectsFile(await openOutFile(path), path, '')).toBeNull();
  expect(await readdir(join(path, '..'))).toEqual(['rejects']);
});
