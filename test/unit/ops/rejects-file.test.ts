import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openRejects } from '../../../infra/ops/import/rejects-file.ts';
import type { Output } from '../../../infra/ops/output/output.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';

let path: string;
beforeEach(async () => void (path = join(await mkdtemp(join(tmpdir(), 'rejects-')), 'rejects')));
afterEach(() => void vi.restoreAllMocks());

const read = () => readFile(path, 'utf8');

const printedErrors: string[] = [];
const printedLines: string[] = [];
const output = {
  line: (text: string) => printedLines.push(text),
  error: (text: string) => printedErrors.push(text),
  document() {},
} as unknown as Output;

/** Writes the lines of rejected records. Returns the exit code. */
async function reject(lines: readonly string[], { dryRun = false } = {}): Promise<number> {
  const rejects = await openRejects({ output, dryRun }, path);
  for (const [index, line] of lines.entries()) {
    rejects.countRecord(index + 1, ['is rejected']);
    await rejects.write(line);
  }
  return rejects.report({ lines: [], isInterrupted: false, document: {}, failure: null });
}

it('rejected records are written completely or not at all, and a run without any removes the earlier file', async () => {
  await writeFile(path, 'earlier');
  useSmallDisk(7);
  expect(await reject(['one\n', 'two\n', 'three\n'])).toBe(3);
  expect(printedErrors).toEqual([expect.stringMatching(/^The rejected records are not in .+rejects: ENOSPC: /)]);
  expect([await read(), await readdir(dirname(path))]).toEqual(['earlier', ['rejects']]);
  vi.restoreAllMocks();
  await reject(['one\n', 'two\n']);
  expect(await read()).toBe('one\ntwo\n');
  await reject([]);
  expect(await readdir(dirname(path))).toEqual([]);
});

it('a dry run neither writes nor removes the rejected records', async () => {
  await writeFile(path, 'earlier');
  await reject(['one\n'], { dryRun: true });
  await reject([], { dryRun: true });
  expect(await read()).toBe('earlier');
});

it('a run without rejected records removes the target of a symbolic link, and keeps the link', async () => {
  await symlink('target', path);
  await writeFile(path, 'earlier');
  await reject([]);
  expect(await readdir(dirname(path))).toEqual(['rejects']);
});

it('the exit code of a command names its failure, interruption or rejected records, in this order', async () => {
  const report = async (
    result: { readonly isInterrupted?: boolean; readonly failure?: unknown },
    errors: string[] = [],
  ) => {
    const rejects = await openRejects({ output, dryRun: true }, path);
    if (errors.length > 0) rejects.countRecord(2, errors);
    return rejects.report({ lines: [], isInterrupted: false, document: {}, failure: null, ...result });
  };
  expect(await report({})).toBe(0);
  expect(await report({}, ['x'])).toBe(1);
  expect(await report({ isInterrupted: true }, ['x'])).toBe(130);
  await expect(report({ failure: new Error('write failed'), isInterrupted: true })).rejects.toThrow('write failed');
});

it('a command prints the first five rejected records, each in at most 500 characters', async () => {
  const rejects = await openRejects({ output, dryRun: true }, path);
  for (const line of [1, 2, 3, 4, 5, 6])
    rejects.countRecord(line, line === 1 ? ['x'.repeat(1000)] : ['a: is b', 'c: is d']);
  printedLines.length = 0;
  await rejects.report({ lines: ['1 created'], isInterrupted: false, document: {}, failure: null });
  expect(printedLines).toEqual([
    '1 created',
    `  line 1: ${'x'.repeat(492)}`,
    ...[2, 3, 4, 5].map((line) => `  line ${line}: a: is b; c: is d`),
    '  …',
  ]);
});
