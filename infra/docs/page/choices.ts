/** What somebody chose before, or null; a browser may refuse to keep it. */
export function storedChoice(name: 'language' | 'sample'): string | null {
  return inStorage((storage) => storage.getItem(`docs-${name}`)) ?? null;
}

/** Keeps a choice for the next visit, where the browser lets us. */
export function storeChoice(name: 'language' | 'sample', value: string): void {
  inStorage((storage) => storage.setItem(`docs-${name}`, value));
}

/** What is done in the browser's storage; undefined where it refuses, as in a private window or when it is full. */
function inStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** The language to read in: the one chosen before, else the first of the browser's that the page has. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): string {
  const languages = [chosen ?? '', ...browser].map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((language) => language === 'en' || language === 'es') ?? 'en';
}

/**
 * The address in front of `/apidev` for a page that the API itself serves: all before the last `/docs/` of its path.
 */
export function apiRootOf(pageAddress: string): string {
  const { origin, pathname } = new URL(pageAddress);
  return origin + pathname.slice(0, pathname.lastIndexOf('/docs/'));
}
