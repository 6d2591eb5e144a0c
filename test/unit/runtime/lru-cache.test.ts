import { expect, it } from 'vitest';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';

it.each<[string, readonly (readonly [key: string, value: string] | string)[], (string | undefined)[]]>([
  ['removes the least recently used value', [['a', 'a'], ['b', 'b'], 'a', ['c', 'c']], ['a', undefined, 'c']],
  [
    'replaces the value of a key, and counts the key once',
    [
      ['a', '1'],
      ['b', 'b'],
      ['a', '2'],
    ],
    ['2', 'b', undefined],
  ],
])('an LRU cache of two values %s', (_, steps, expected) => {
  const cache = createLruCache<string>(2);
  for (const step of steps) {
    if (typeof step === 'string') cache.get(step);
    else cache.set(...step);
  }
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(expected);
});
