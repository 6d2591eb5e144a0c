import { expect, it } from 'vitest';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';

type Steps = (readonly [key: string, size: number] | string)[];

it.each<[string, Steps, (string | undefined)[]]>([
  ['removes the least recently used value first', [['a', 4], ['b', 4], 'a', ['c', 4]], ['a 4', undefined, 'c 4']],
  [
    'replaces the value of a key, and counts only its last size',
    [['a', 9], 'a', ['a', 2], ['b', 8]],
    ['a 2', 'b 8', undefined],
  ],
  [
    'stores no value that is too large, and removes the value that it would replace',
    [['a', 1], ['b', 1], 'a', ['a', 11]],
    [undefined, 'b 1', undefined],
  ],
])('an LRU cache %s', (_, steps, expected) => {
  const cache = createLruCache<string>(10);
  for (const step of steps) {
    if (typeof step === 'string') cache.get(step);
    else cache.set(step[0], step.join(' '), step[1]);
  }
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(expected);
});
