import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Output } from '../../../infra/ops/output/output.ts';

async function captureOutput(write: (output: Output) => void | Promise<void>, { json = false } = {}): Promise<string> {
  const stdout = new PassThrough();
  const host = { env: {}, stdout, stderr: stdout, stdin: process.stdin, on: () => {} };
  await write(new Output(host, { json, dryRun: false }));
  return String(stdout.read() ?? '');
}

it('a list that is written page by page is the same JSON as the whole list with its totals', async () => {
  const pages = [[], [{ id: '1', name: 'a\nb' }, {}], [], [{ id: '3', of: [1, { a: null }] }]];
  const end = { totals: { read: 1, of: [1] }, more: null };
  for (const rows of [pages, []]) {
    const view = { header: [], toRow: () => [], toDocument: (entry: object) => entry, end: () => end };
    const writeList = (output: Output) => output.list({ tenant: 'a' }, 'users', Readable.from(rows), view);
    const written = await captureOutput(writeList, { json: true });
    expect(written).toBe(`${JSON.stringify({ tenant: 'a', users: rows.flat(), ...end }, null, 2)}\n`);
  }
});

/** Writes a list of a hundred pages with one row each. Returns the number of pages that were requested. */
async function countRequestedPages(stdout: Writable, json: boolean): Promise<number> {
  let requested = 0;
  const pages = (async function* () {
    for (; requested < 100; requested++) yield ['x'.repeat(1000)];
  })();
  const host = { env: {}, stdout, stderr: stdout, stdin: process.stdin, on: () => {} };
  const view = { header: ['name'], toRow: (name: string) => [name], toDocument: (name: string) => ({ name }) };
  await new Output(host, { json, dryRun: false }).list({}, 'names', pages, view);
  return requested;
}

it.each([false, true])('a list ends if the pipe closes, and waits for a slow reader (json: %s)', async (json) => {
  const closedPipe = new Writable({ write: (_, __, done) => done(new Error('EPIPE')) });
  expect(await countRequestedPages(closedPipe, json)).toBeLessThan(3);
  let maxBuffered = 0;
  const write = (_: unknown, __: unknown, done: () => void) => {
    maxBuffered = Math.max(maxBuffered, slowPipe.writableLength);
    setImmediate(() => setImmediate(done));
  };
  const slowPipe: Writable = new Writable({ highWaterMark: 4000, write });
  expect(await countRequestedPages(slowPipe, json)).toBe(100);
  expect(maxBuffered).toBeLessThan(8000);
});
