import { expect, it, vi } from 'vitest';
import { apiRootOf, preferredLanguage, storeChoice, storedChoice } from '../../../../infra/docs/page/choices.ts';

const onAws = 'https://abc.execute-api.eu-west-1.amazonaws.com/live';

it.each([
  ['http://127.0.0.1:3000/docs/es/#list-invoices', 'http://127.0.0.1:3000'],
  [`${onAws}/docs/es/index.html`, onAws],
  ['https://docs.portal.example/docs/index.html', 'https://docs.portal.example'],
  ['https://portal.example/docs/docs/index.html?q=/docs/#/docs/', 'https://portal.example/docs'],
])('a page at %s calls the API at %s', (page, root) => {
  expect(apiRootOf(page)).toBe(root);
});

it.each([
  [null, ['es-AR', 'en'], 'es'],
  [null, ['pt', 'es-419'], 'es'],
  [null, [], 'en'],
  ['en', ['es'], 'en'],
  ['xx', ['ES'], 'es'],
])('the language to read in of %s and %j is %s', (chosen, browser, language) => {
  expect(preferredLanguage(chosen, browser)).toBe(language);
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
