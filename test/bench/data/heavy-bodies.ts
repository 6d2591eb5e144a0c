const MIB = 1_048_576;
// As many names and values as a body may hold, and a few that stand around them.
const VALUES = 9_950;
// What each of them can take of a body.
const BYTES = 100;

const list = (valueAt: (index: number) => string, count = VALUES) =>
  `[${Array.from({ length: count }, (_, index) => valueAt(index)).join(',')}]`;
const object = (nameAt: (index: number) => string, count = VALUES / 2) =>
  `{${Array.from({ length: count }, (_, index) => `"${nameAt(index)}":0`).join(',')}}`;
const nested = (open: string, close: string, inner: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);
const text = (part: string, length: number) => `"${part.repeat(length / part.length)}"`;
const half = String.raw`\ud83d`;
const pair = String.raw`\ud83d\ude00`;

/** The texts that make a service compute most before it knows their sender, by what is in them. */
export const heavyBodies: Readonly<Record<string, string>> = {
  '1 MiB of `[0,0,…]`': list(() => '0', MIB / 2 - 1),
  '1 MiB of `[`': '['.repeat(MIB),
  '1 MiB of names': object((index) => index.toString(36), 100_000),
  '1 MiB of halves of characters': list(() => `"${half}"`, 100_000),
  'a list': list(() => '0'),
  'lists in a list': list(() => '[]', VALUES / 2),
  'lists, nested': nested('[', ']', '0', VALUES),
  'objects with long names, nested': nested(`{"${'n'.repeat(2 * BYTES)}":`, '}', `"${half}"`, VALUES / 2),
  'long names, all different': object((index) => `${index}${'n'.repeat(2 * BYTES - 15)}`),
  'numbers as names': object((index) => String(index * 7_919)),
  'the same name': object(() => 'n'),
  'numbers of 100 digits': list((index) => `0.${index}`.padEnd(BYTES, '7')),
  'the smallest numbers': list(() => `${'4.'.padEnd(BYTES - 5, '9')}e-324`),
  '`1e400`': list(() => '1e400'),
  'a number of 1 MiB': '7'.repeat(MIB),
  'halves of characters': list(() => text(half, BYTES - 4)),
  'escaped emojis': list(() => text(pair, BYTES - 4)),
  'one text of escaped emojis': text(pair, MIB - 4),
  'one text of escaped quotes': text(String.raw`\"`, MIB - 2),
  'a text of 1 MiB': text('ñ', MIB / 2 - 1),
  '1 MiB of spaces': ' '.repeat(MIB),
  'the name `__proto__`, last': `[${'0,'.repeat(VALUES)}{"__proto__":0}]`,
  '10 MiB of `[0,0,…]`': list(() => '0', 5 * MIB),
};
