import { PassThrough, Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FrequentReasons } from '../../../infra/ops/invoices/frequent-reasons.ts';
import { showProgress } from '../../../infra/ops/invoices/import-progress.ts';
import { Columns, listDocument } from '../../../infra/ops/list-texts.ts';
import { Output } from '../../../infra/ops/output.ts';
import { noCounts } from '../../../lib/admin/import/import-invoices.ts';

const ESCAPE = '\u001b';

/** What a command prints that says this. */
function printed(say: (output: Output) => void, { isTTY = true, json = false, env = {} } = {}): string {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const host = { env, stdout, stderr, stdin: process.stdin, on: () => {} };
  say(new Output(host, { json, dryRun: false }));
  return `${String(stdout.read() ?? '')}${String(stderr.read() ?? '')}`;
}

describe('colours', () => {
  const say = (output: Output) => {
    output.line('created   tenant a');
    output.fault('rejected  tenants[0]: is wrong');
    output.table(['name'], [['left', 'A']]);
    output.document({ name: 'A' });
  };

  it('show on a terminal what became of something, and what is a header', () => {
    const [created, header, row, rejected] = printed(say).split('\n');
    expect(created).toBe(`${ESCAPE}[32mcreated${ESCAPE}[39m   tenant a`);
    expect(rejected).toBe(`${ESCAPE}[31mrejected${ESCAPE}[39m  tenants[0]: is wrong`);
    expect(header).toBe(`${ESCAPE}[1mname${ESCAPE}[22m`);
    expect(row).toBe('left  A');
  });

  it.each([
    ['a pipe', { isTTY: false }],
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['a terminal that has none', { env: { TERM: 'dumb' } }],
    ['--json', { json: true }],
  ])('are left out for %s', (_, setting) => {
    expect(printed(say, setting)).not.toContain(ESCAPE);
  });

  it('are shown with an empty NO_COLOR', () => {
    expect(printed(say, { env: { NO_COLOR: '' } })).toContain(ESCAPE);
  });

  it('belong to the first word of a line that is one of these', () => {
    for (const line of ['created by hand', 'a created   b', 'constructor   x', '    status: created']) {
      expect(printed((output) => output.line(line))).toBe(`${line}\n`);
    }
  });
});

describe('the columns of a list', () => {
  it('stay where they are from page to page, unless a later one needs more', () => {
    const columns = new Columns();
    const header = columns.lines([
      ['id', 'name'],
      ['100', 'A'],
    ]);
    expect(header).toEqual(['id   name', '100  A']);
    expect(columns.lines([['7', 'B']])).toEqual(['7    B']);
    expect(columns.lines([['10000', 'C']])).toEqual(['10000  C']);
    expect(columns.lines([['7', 'D']])).toEqual(['7      D']);
  });
});

describe('the document of a list', () => {
  const textOf = async (about: object, pages: object[][]) => {
    const parts: string[] = [];
    for await (const part of listDocument(about, 'users', Readable.from(pages))) parts.push(part);
    return parts.join('');
  };

  it.each([
    [[]],
    [[[]]],
    [[[{ id: '1' }]]],
    [[[], [{ id: '1', name: 'a\nb' }, {}], [], [{ id: '3', of: [1, { a: null }] }]]],
  ])('is what JSON would make of it whole: %j', async (pages) => {
    const users = pages.flat();
    expect(await textOf({ tenant: 'a' }, pages)).toBe(`${JSON.stringify({ tenant: 'a', users }, null, 2)}\n`);
    expect(JSON.parse(await textOf({}, pages))).toEqual({ users });
  });

  it.each([[[]], [[[{ id: '1' }]]]])('says after the list what is known only then: %j', async (pages) => {
    let read = 0;
    const all = (async function* () {
      for (const page of pages) {
        read += page.length;
        yield page;
      }
    })();
    let text = '';
    const end = () => ({ totals: { read, of: [1] }, more: null });
    for await (const part of listDocument({}, 'users', all, end)) text += part;
    const whole = { users: pages.flat(), totals: { read: pages.flat().length, of: [1] }, more: null };
    expect(text).toBe(`${JSON.stringify(whole, null, 2)}\n`);
  });
});

const counts = { ...noCounts(), created: 1500, changed: 300, unchanged: 180, rejected: 20 };

/** What is shown of an import that is stopped half-way. */
function shown({ isTTY, totalBytes }: { isTTY: boolean; totalBytes: number | null }): string[] {
  const terminal = { isTTY, columns: 120, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stream = Object.assign(new PassThrough(), terminal);
  const progress = showProgress(stream, totalBytes);
  progress.update(500, counts);
  progress.stop();
  const text = stripVTControlCharacters(String(stream.read()));
  return text.split(/[\r\n]+|(?=[█░]{40})|(?<=rejected)(?=2000)/).filter((line) => line.includes('2000'));
}

it.each([
  ['a bar on a terminal', { isTTY: true, totalBytes: 1000 }, /^█{20}░{20} 50% \| FACTS \| .+ left/],
  ['a plain line elsewhere', { isTTY: false, totalBytes: 1000 }, /^50% \| FACTS \| .+ left$/],
  ['neither bar nor rest while nobody knows the whole', { isTTY: true, totalBytes: null }, /^FACTS(?!.*(█|left))/],
])('the progress of an import is %s, with records, rate and rejected', (_, terminal, pattern) => {
  const facts = String.raw`2000 records \| \d+/s \| 20 rejected`;
  expect(shown(terminal)[0]).toMatch(new RegExp(pattern.source.replace('FACTS', facts)));
});

/** The reasons of some records, counted. */
function counted(...records: readonly string[][]): FrequentReasons {
  const reasons = new FrequentReasons();
  for (const record of records) reasons.add(record);
  return reasons;
}

describe('the most frequent reasons of rejected records', () => {
  it('are counted by record, and the first ones are those with most', () => {
    const reasons = counted(['b'], ['a', 'b'], ['b', 'c', 'c'], ['a'], ['d']);
    expect(reasons.top(3)).toEqual([
      { reason: 'b', records: 3 },
      { reason: 'a', records: 2 },
      { reason: 'c', records: 1 },
    ]);
  });

  it('are one where they differ in numbers only, which are left out then, and only those', () => {
    const date = 'invoice_date: has no year first: --day-first reads 24/08/2026';
    const supplier = (id: string) => `supplier_id: there is no supplier ${id} in t2.example`;
    const bytes = (byte: string, line: number) => `record: is not UTF-8: byte ${byte} at line ${line}, column 4`;
    const reasons = counted(
      ...['7', '404', '405'].map((id) => [supplier(id)]),
      ...[bytes('0xF1', 2), bytes('0xE9', 17)].map((reason) => [reason, date]),
      ['concepts[0].total: x', 'concepts[1].total: x'],
    );
    expect(reasons.top(9)).toEqual([
      { reason: 'supplier_id: there is no supplier … in t2.example', records: 3 },
      { reason: 'record: is not UTF-8: byte … at line …, column 4', records: 2 },
      { reason: date, records: 2 },
      { reason: 'concepts[…].total: x', records: 1 },
    ]);
  });

  it('need no more memory for names that a file makes up, of any number and length', () => {
    const letters = (at: number) => at.toString(2).replaceAll('0', 'o').replaceAll('1', 'i');
    const names = Array.from({ length: 2000 }, (_, at) => letters(at) + 'x'.repeat(at));
    const top = counted(['known'], ...names.map((name) => [`${name}: is not a known property`]), ['known']).top(5000);
    expect(top).toContainEqual({ reason: 'known', records: 2 });
    expect(top).toHaveLength(1000);
    expect(Math.max(...top.map(({ reason }) => reason.length))).toBe(200);
  });
});

describe('a list of any length', () => {
  /** Lists pages of a row each to this stream; gives how many pages were asked for. */
  async function pagesAsked(stdout: Writable, { json = false, most = 100 } = {}): Promise<number> {
    let asked = 0;
    const pages = (async function* () {
      for (; asked < most; asked++) yield ['x'.repeat(1000)];
    })();
    const host = { env: {}, stdout, stderr: stdout, stdin: process.stdin, on: () => {} };
    const view = { header: ['name'], toRow: (name: string) => [name], toDocument: (name: string) => ({ name }) };
    await new Output(host, { json, dryRun: false }).list({}, 'names', pages, view);
    return asked;
  }

  it.each([{ json: false }, { json: true }])('ends when the pipe that it goes to closes (%j)', async ({ json }) => {
    const closing = new Writable({ write: (_, __, done) => done(new Error('EPIPE')) });
    expect(await pagesAsked(closing, { json })).toBeLessThan(3);
  });

  it.each([{ json: false }, { json: true }])('waits for who reads it, and keeps no more (%j)', async ({ json }) => {
    let most = 0;
    const slow: Writable = new Writable({
      highWaterMark: 4000,
      write(_, __, done) {
        most = Math.max(most, slow.writableLength);
        setImmediate(() => setImmediate(done));
      },
    });
    expect(await pagesAsked(slow, { json })).toBe(100);
    expect(most).toBeLessThan(8000);
  });
});
