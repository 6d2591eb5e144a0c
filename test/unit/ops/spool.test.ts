import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Input, openInput } from '../../../infra/ops/import/import-files.ts';

const openStdin = (stdin: Readable, signal = new AbortController().signal): Promise<Input> =>
  openInput('-', { format: 'csv', rejects: 'rejects' }, stdin, signal);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('an input that can be read once can be read several times when it is copied, and the copy leaves no file', async () => {
  const content = 'x'.repeat(200_000);
  const copy = await openStdin(Readable.from([content, 'end']));
  expect(readdirSync(folder)).toEqual([]);
  for (const _ of [1, 2]) expect(await text(copy.openStream())).toBe(`${content}end`);
  expect([copy.totalBytes, copy.bytesRead(), copy.format]).toEqual([200_003, 200_003, 'csv']);
  await copy.close();
});

it('copying an input that does not end stops when the command is interrupted', async () => {
  const stop = new AbortController();
  const stream = new PassThrough();
  stream.write('some');
  const copied = openStdin(stream, stop.signal);
  stop.abort();
  await (await copied).close();
  expect(stream.destroyed).toBe(true);
});

it('an input that fails while it is copied ends with an error that says that nothing was written', async () => {
  async function* failing() {
    yield 'some';
    throw new Error('read EIO');
  }
  const copied = openStdin(Readable.from(failing()));
  await expect(copied).rejects.toThrow(`The input cannot be copied to ${folder}: read EIO. Nothing was written.`);
});

it('a file to which a program appends while it is read has the same content in each pass', async () => {
  const file = join(folder, 'growing.ndjson');
  writeFileSync(file, '{}\n');
  const input = await openInput(file, {}, new PassThrough(), new AbortController().signal);
  appendFileSync(file, '{"more":true}\n');
  for (const _ of [1, 2]) expect(await text(input.openStream())).toBe('{}\n');
  await input.close();
});
