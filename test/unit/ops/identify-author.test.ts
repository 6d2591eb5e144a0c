import { expect, it } from 'vitest';
import { identifyAuthor } from '../../../infra/ops/invoice-options.ts';

const identify = (by: string | undefined) => identifyAuthor(async () => 'role/ana', by);

it.each([
  [undefined, 'role/ana'],
  [' María José ', 'role/ana (María José)'],
  ['x'.repeat(64), `role/ana (${'x'.repeat(64)})`],
])('the author with --by %j is %s', async (by, author) => {
  expect(await identify(by)).toBe(author);
});

it.each([
  '',
  ' ',
  'Ana (CFO',
  'Ana), root',
  'Ana, Leo',
  'ana@demo.example',
  'Ana\n',
  'Ana\u2028Leo',
  '\ud800',
  'x'.repeat(65),
])('--by rejects %j, which could look like another author or cannot be erased', async (by) => {
  await expect(identify(by)).rejects.toThrow(
    '--by: must be a name of at most 64 characters, without @, parentheses, commas and line breaks.',
  );
});
