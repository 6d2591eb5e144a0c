import { readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';

/** The guide for integrators, in each language. */
const guideFiles: Readonly<Record<Language, URL>> = {
  en: new URL('guide.md', import.meta.url),
  es: new URL('guide.es.md', import.meta.url),
};

/** The text of the document: the guide for integrators, without its title and with its headings one level deeper. */
export function integrationGuide(language: Language): string {
  const guide = readFileSync(guideFiles[language], 'utf8');
  return guide
    .replace(/^# .*\n/, '')
    .replace(/^#/gm, '##')
    .trim();
}
