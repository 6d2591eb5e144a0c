/** What somebody chose before, or null; a browser may refuse to keep it. */
export function storedChoice(name: 'language' | 'sample'): string | null {
  try {
    return localStorage.getItem(`docs-${name}`);
  } catch {
    return null;
  }
}

/** Keeps a choice for the next visit. */
export function storeChoice(name: 'language' | 'sample', value: string): void {
  try {
    localStorage.setItem(`docs-${name}`, value);
  } catch {
    // It holds for this page alone.
  }
}

/** The language to read in: the one chosen before, else the first of the browser's that the page has. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): string {
  const languages = [chosen ?? '', ...browser].map((tag) => tag.toLowerCase().split('-')[0]);
  return languages.find((language) => language === 'en' || language === 'es') ?? 'en';
}
