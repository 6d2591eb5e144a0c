import { expect, it } from 'vitest';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';

type Steps = (readonly [key: string, size: number] | string)[];

it.each<[string, Steps, (string | undefined)[]]>([
  ['goes first when it was used last', [['a', 4], ['b', 4], 'a', ['c', 4]], ['a 4', undefined, 'c 4']],
  [
    'is replaced under its key, and only its last size counts',
    [['a', 9], 'a', ['a', 2], ['b', 8]],
    ['a 2', 'b 8', undefined],
  ],
  [
    'is nothing too large, and then not what it replaces',
    [['a', 1], ['b', 1], 'a', ['a', 11]],
    [undefined, 'b 1', undefined],
  ],
])('what a process remembers %s', (_, steps, remembered) => {
  const cache = createLruCache<string>(10);
  for (const step of steps) {
    if (typeof step === 'string') cache.get(step);
    else cache.set(step[0], step.join(' '), step[1]);
  }
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(remembered);
});
