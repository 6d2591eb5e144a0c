import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * A test as it runs, each case of a table by itself: its title without the ids at its end, and the rules that these
 * name.
 */
export interface TestCase {
  readonly file: string;
  readonly title: string;
  readonly rules: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const IDS = /(?: \[[\w$%/-]+\])+$/;
// What the source of a title ends with: an id, or a place in which a case puts one.
const MARKED = / \[[\w$%/-]+\](?:['"`]| \[)/;

/**
 * Lists the tests whose titles end with ids of rules, as in `is refused [auth/rule-7] [headers/tenant]`; skipped ones
 * are not among them.
 */
export async function listCases(): Promise<TestCase[]> {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts') && MARKED.test(readFileSync(join(root, file), 'utf8')));
  // Executed, because only that tells the cases of a table; in shared modules, because nothing but titles is asked for.
  const command = ['node_modules/vitest/vitest.mjs', 'list', '--config', 'test/vitest.config.ts', '--json'];
  const options = ['--no-static-parse', '--no-isolate', ...files];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, ...options], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  const listed = JSON.parse(stdout) as { file: string; name: string }[];
  return listed
    .map(({ file, name }) => ({ file: relative(root, file), title: name.replace(IDS, ''), rules: rulesIn(name) }))
    .filter(({ rules }) => rules.length > 0);
}

/** The ids at the end of a title, whether there are such rules or not. */
export function rulesIn(title: string): string[] {
  const [ending = ''] = IDS.exec(title) ?? [];
  return [...ending.matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => id);
}
