import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Input, openInput } from '../../../infra/ops/invoices/import-files.ts';
import { spool } from '../../../infra/ops/invoices/spool.ts';

const inputOf = (stream: Readable): Input => ({
  ...{ openStream: () => stream, handle: null, format: 'csv', totalBytes: null, rejectsPath: 'rejects' },
  ...{ bytesRead: () => 0, close: async () => void stream.destroy() },
});

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
  const copy = await spool(inputOf(Readable.from([content, 'end'])), new AbortController().signal);
  expect(readdirSync(folder)).toEqual([]);
  for (const _ of [1, 2]) expect(await text(copy.openStream())).toBe(`${content}end`);
  expect([copy.totalBytes, copy.bytesRead(), copy.format]).toEqual([200_003, 200_003, 'csv']);
  await copy.close();
});

it('copying an input that does not end stops when the command is interrupted', async () => {
  const stop = new AbortController();
  const stream = new PassThrough();
  stream.write('some');
  const copied = spool(inputOf(stream), stop.signal);
  stop.abort();
  await (await copied).close();
  expect(stream.destroyed).toBe(true);
});

it('an input that fails while it is copied ends with an error that says that nothing was imported', async () => {
  async function* failing() {
    yield 'some';
    throw new Error('read EIO');
  }
  const copied = spool(inputOf(Readable.from(failing())), new AbortController().signal);
  await expect(copied).rejects.toThrow(`The input cannot be copied to ${folder}: read EIO. Nothing was imported.`);
});

it('a file to which a program appends while it is read has the same content in each pass', async () => {
  const file = join(folder, 'growing.ndjson');
  writeFileSync(file, '{}\n');
  const input = await openInput(file, {}, new PassThrough());
  appendFileSync(file, '{"more":true}\n');
  for (const _ of [1, 2]) expect(await text(input.openStream())).toBe('{}\n');
  await input.close();
});
