import { describe, expect, it, vi } from 'vitest';
import { preferredLanguage, storeChoice, storedChoice } from '../../../../infra/docs/page/choices.ts';

describe('the language to read in', () => {
  it.each([
    [null, ['es-AR', 'en'], 'es'],
    [null, ['pt', 'es-419'], 'es'],
    [null, ['de'], 'en'],
    [null, [], 'en'],
    ['en', ['es'], 'en'],
    ['es', ['en'], 'es'],
    ['xx', ['ES'], 'es'],
  ])('of %s and %j is %s', (chosen, browser, language) => {
    expect(preferredLanguage(chosen, browser)).toBe(language);
  });
});

it('goes on without a storage, and with one that is full', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(() => storeChoice('sample', 'curl')).not.toThrow();
  expect(storedChoice('sample')).toBeNull();
  const setItem = vi.fn(() => {
    throw new DOMException('It is full.', 'QuotaExceededError');
  });
  vi.stubGlobal('localStorage', { setItem, getItem: () => 'php' });
  expect(() => storeChoice('sample', 'curl')).not.toThrow();
  expect(setItem).toHaveBeenCalledWith('docs-sample', 'curl');
  expect(storedChoice('sample')).toBe('php');
  vi.unstubAllGlobals();
});
