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
  folder = mkdtempSync(join(tmpdir(), 'import-files-'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('openInput copies standard input so that it can be read several times, and leaves no file', async () => {
  const content = 'x'.repeat(200_000);
  await using copy = await openStdin(Readable.from([content, 'end']));
  expect(readdirSync(folder)).toEqual([]);
  for (const _ of [1, 2]) expect(await text(copy.openStream())).toBe(`${content}end`);
  expect([copy.totalBytes, copy.bytesRead(), copy.format]).toEqual([200_003, 200_003, 'csv']);
});

it('openInput stops copying an endless input when the command is interrupted', async () => {
  const stop = new AbortController();
  const stream = new PassThrough();
  stream.write('some');
  const pendingInput = openStdin(stream, stop.signal);
  stop.abort();
  await (await pendingInput)[Symbol.asyncDispose]();
  expect(stream.destroyed).toBe(true);
});

it('openInput reports that nothing was written if the input fails during the copy', async () => {
  async function* generateFailingInput() {
    yield 'some';
    throw new Error('read EIO');
  }
  const pendingInput = openStdin(Readable.from(generateFailingInput()));
  await expect(pendingInput).rejects.toThrow(`The input cannot be copied to ${folder}: read EIO. Nothing was written.`);
});

it('a file has the same content in each pass, even if a program appends to it', async () => {
  const file = join(folder, 'growing.ndjson');
  writeFileSync(file, '{}\n');
  await using input = await openInput(file, {}, new PassThrough(), new AbortController().signal);
  appendFileSync(file, '{"more":true}\n');
  for (const _ of [1, 2]) expect(await text(input.openStream())).toBe('{}\n');
});

it.each([
  ['a directory', (path: string) => path, 'cannot be read: it is not a file'],
  ['the file of rejected records', (path: string) => join(path, 'rejects'), 'Name another file with --rejects.'],
  ['a missing file', (path: string) => join(path, 'absent'), 'ENOENT'],
])('openInput rejects %s', async (_, toPath, error) => {
  const options = { format: 'csv', rejects: join(folder, 'rejects') } as const;
  const pendingInput = openInput(toPath(folder), options, new PassThrough(), new AbortController().signal);
  await expect(pendingInput).rejects.toThrow(error);
});
