import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readGuide } from '../support/guides/readme.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = globSync('{functions,lib}/**/*.ts', {
  cwd: root,
  exclude: (path) => /\blib[\\/](?:client|declare-page|terminal)\b/.test(path),
});

it('the page of log messages contains every message and every internal error of the functions', () => {
  const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const calls = /(?:\.(?:info|warn|error)|new (?:Type)?Error|super(?=\('[^']+'\);))\(\s*(?:'([^']+)'|`([^`]+)`)/g;
  const messages = [...source.matchAll(calls)].map(([, text, template]) => text ?? template ?? '');
  expect(messages.length).toBeGreaterThan(20);
  // The page has a word in capitals in place of each value.
  const parts = messages.flatMap((message) => message.split(/\$\{[^}]+\}/));
  const page = readGuide('infra/ops/log-messages.md');
  expect(parts.filter((part) => !page.includes(part))).toEqual([]);
});
