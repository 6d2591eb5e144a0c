import { describe, expect, it } from 'vitest';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';

describe('what a process remembers', () => {
  it('is forgotten, when there is no more room, in the order of its last use', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'first', 4);
    cache.set('b', 'second', 4);
    expect(cache.get('a')).toBe('first');
    cache.set('c', 'third', 4);
    expect(['a', 'b', 'c'].map(cache.get)).toEqual(['first', undefined, 'third']);
  });

  it('is replaced under the same key, and only its last size counts', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'large', 9);
    cache.set('a', 'small', 2);
    cache.set('b', 'other', 8);
    expect(['a', 'b'].map(cache.get)).toEqual(['small', 'other']);
  });

  it('is nothing that is too large, and then not what it would have replaced either', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'old', 1);
    cache.set('b', 'stays', 1);
    cache.set('a', 'new', 11);
    expect(['a', 'b'].map(cache.get)).toEqual([undefined, 'stays']);
  });
});
