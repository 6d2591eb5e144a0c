import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A test, or one case of a table of tests. `title` does not contain the ids of rules at its end. */
export interface TestCase {
  readonly file: string;
  readonly title: string;
  readonly rules: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const IDS = /(?: \[[\w$%/-]+\])+$/;
// The end of a title in a source file: an id, or a placeholder for the id of a case.
const MARKED = / \[[\w$%/-]+\](?:['"`]| \[)/;

/**
 * Lists the tests whose titles end with ids of rules, as in `rejects HTTP [auth/rule-7] [headers/tenant]`. Skipped tests
 * are omitted.
 */
export async function listCases(): Promise<TestCase[]> {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts') && MARKED.test(readFileSync(join(root, file), 'utf8')));
  // Vitest has to execute the files to list the cases of tables, but does not have to isolate them.
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

/** Returns the ids at the end of a title, including the ids of unknown rules. */
export function rulesIn(title: string): string[] {
  const [ending = ''] = IDS.exec(title) ?? [];
  return [...ending.matchAll(/\[([^\]]+)\]/g)].map(([, id = '']) => id);
}
