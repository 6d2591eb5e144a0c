import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Columns, listDocument } from '../../../infra/ops/list-texts.ts';
import { Output } from '../../../infra/ops/output.ts';

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
    expect(
      columns.lines([
        ['id', 'name'],
        ['100', 'A'],
      ]),
    ).toEqual(['id   name', '100  A']);
    expect(columns.lines([['7', 'B']])).toEqual(['7    B']);
    expect(columns.lines([['10000', 'C']])).toEqual(['10000  C']);
    expect(columns.lines([['7', 'D']])).toEqual(['7      D']);
  });
});

describe('the document of a list', () => {
  const textOf = async (about: object, ...pages: object[][]) => {
    const all = (async function* () {
      yield* pages;
    })();
    let text = '';
    for await (const part of listDocument(about, 'users', all)) text += part;
    return text;
  };

  it.each([
    [[]],
    [[[]]],
    [[[{ id: '1' }]]],
    [[[], [{ id: '1', name: 'a\nb' }, {}], [], [{ id: '3', of: [1, { a: null }] }]]],
  ])('is what JSON would make of it whole: %j', async (pages) => {
    const users = pages.flat();
    expect(await textOf({ tenant: 'a' }, ...pages)).toBe(`${JSON.stringify({ tenant: 'a', users }, null, 2)}\n`);
    expect(JSON.parse(await textOf({}, ...pages))).toEqual({ users });
  });
});
