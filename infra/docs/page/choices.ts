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
