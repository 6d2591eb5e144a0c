/** The language to read in: the one chosen before, else the first of the browser's that the page has. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): string {
  return [chosen ?? '', ...browser].map((tag) => tag.toLowerCase().split('-')[0]).find(isKnown) ?? 'en';
}

function isKnown(language: string | undefined): language is string {
  return language === 'en' || language === 'es';
}
