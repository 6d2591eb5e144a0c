import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FrequentReasons } from '../../../infra/ops/import/rejects-file.ts';
import { Output } from '../../../infra/ops/output.ts';
import { Columns } from '../../../lib/runtime/printable.ts';

const ESCAPE = '\u001b';

async function printed(
  say: (output: Output) => void | Promise<void>,
  { isTTY = true, json = false, env = {} } = {},
): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const host = { env, stdout, stderr, stdin: process.stdin, on: () => {} };
  await say(new Output(host, { json, dryRun: false }));
  return `${String(stdout.read() ?? '')}${String(stderr.read() ?? '')}`;
}

describe('colours', () => {
  const say = (output: Output) => {
    output.line('created   tenant a');
    output.error('rejected  tenants[0]: is wrong');
    output.table(['name'], [['left', 'A']]);
  };

  it('show on a terminal what became of something, and what is a header', async () => {
    const coloured = (colour: number, end: number, text: string) => `${ESCAPE}[${colour}m${text}${ESCAPE}[${end}m`;
    const lines = (await printed(say, { env: { NO_COLOR: '' } })).split('\n').slice(0, 4);
    expect(lines).toEqual([
      ...[`${coloured(32, 39, 'created')}   tenant a`, coloured(1, 22, 'name'), 'left  A'],
      `${coloured(31, 39, 'rejected')}  tenants[0]: is wrong`,
    ]);
    for (const line of ['created by hand', 'a created   b', 'constructor   x', '    status: created'])
      expect(await printed((output) => output.line(line))).toBe(`${line}\n`);
  });

  it.each([{ isTTY: false }, { env: { NO_COLOR: '1' } }, { env: { TERM: 'dumb' } }, { json: true }])(
    'are left out for %j',
    async (setting) => {
      expect(await printed(say, setting)).not.toContain(ESCAPE);
    },
  );
});

it('the columns of a list stay where they are from page to page, unless a later one needs more', () => {
  const columns = new Columns();
  const lines = ['id name', '100 A', '7 B', '10000 C', '7 D'].flatMap((row) => columns.formatRows([row.split(' ')]));
  expect(lines).toEqual(['id  name', '100  A', '7    B', '10000  C', '7      D']);
});

it('the document of a list is what JSON would make of it whole, with what is known only after it', async () => {
  const pages = [[], [{ id: '1', name: 'a\nb' }, {}], [], [{ id: '3', of: [1, { a: null }] }]];
  const end = { totals: { read: 1, of: [1] }, more: null };
  for (const some of [pages, []]) {
    const view = { header: [], toRow: () => [], toDocument: (entry: object) => entry, end: () => end };
    const list = (output: Output) => output.list({ tenant: 'a' }, 'users', Readable.from(some), view);
    const written = await printed(list, { json: true });
    expect(written).toBe(`${JSON.stringify({ tenant: 'a', users: some.flat(), ...end }, null, 2)}\n`);
  }
});

describe('the most frequent reasons of rejected records', () => {
  function topOf(most: number, ...records: readonly string[][]) {
    const reasons = new FrequentReasons();
    for (const record of records) reasons.add(record);
    return reasons.top(most).map(({ reason, records: count }) => `${count} ${reason}`);
  }

  it('are counted by record, and the first ones are those with most', () => {
    expect(topOf(3, ['b'], ['a', 'b'], ['b', 'c', 'c'], ['a'], ['d'])).toEqual(['3 b', '2 a', '1 c']);
  });

  it('are one where they differ in numbers only, which are left out then, and only those', () => {
    const date = 'invoice_date: has no year first: --day-first reads 24/08/2026';
    const supplier = (id: string) => [`supplier_id: supplier ${id} of t2.example does not exist`];
    const size = (bytes: number) => `record: is ${bytes} bytes; the maximum is 409600 bytes`;
    const large = [size(410_000), size(420_000)].map((reason) => [reason, date]);
    const totals = [['concepts[0].total: x', 'concepts[1].total: x'], ['concepts[1].total: x']];
    expect(topOf(9, ...['7', '404', '405'].map(supplier), ...large, ...totals)).toEqual([
      '3 supplier_id: supplier … of t2.example does not exist',
      '2 record: is … bytes; the maximum is 409600 bytes',
      `2 ${date}`,
      '2 concepts[…].total: x',
    ]);
  });

  it('need no more memory for names that a file makes up, of any number and length', () => {
    const letters = (at: number) => at.toString(2).replaceAll('0', 'o').replaceAll('1', 'i');
    const made = Array.from({ length: 2000 }, (_, at) => [`${letters(at)}${'x'.repeat(at)}: is not a known property`]);
    const top = topOf(5000, ['known'], ...made, ['known']);
    expect(top).toContain('2 known');
    expect(top).toHaveLength(1000);
    expect(Math.max(...top.map(({ length }) => length))).toBe('1 '.length + 200);
  });
});

describe('a list of any length', () => {
  /** Lists a hundred pages of a row each to this stream; gives how many were asked for. */
  async function pagesAsked(stdout: Writable, json: boolean): Promise<number> {
    let asked = 0;
    const pages = (async function* () {
      for (; asked < 100; asked++) yield ['x'.repeat(1000)];
    })();
    const host = { env: {}, stdout, stderr: stdout, stdin: process.stdin, on: () => {} };
    const view = { header: ['name'], toRow: (name: string) => [name], toDocument: (name: string) => ({ name }) };
    await new Output(host, { json, dryRun: false }).list({}, 'names', pages, view);
    return asked;
  }

  it.each([false, true])('ends when the pipe closes, and waits for who reads it (json: %s)', async (json) => {
    const closing = new Writable({ write: (_, __, done) => done(new Error('EPIPE')) });
    expect(await pagesAsked(closing, json)).toBeLessThan(3);
    let most = 0;
    const write = (_: unknown, __: unknown, done: () => void) => {
      most = Math.max(most, slow.writableLength);
      setImmediate(() => setImmediate(done));
    };
    const slow: Writable = new Writable({ highWaterMark: 4000, write });
    expect(await pagesAsked(slow, json)).toBe(100);
    expect(most).toBeLessThan(8000);
  });
});
