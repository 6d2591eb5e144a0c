import { readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';
import type { OpenApiDocument } from './document.ts';
import { inSpanish } from './spanish/translate.ts';

/** Where the OpenAPI document is; the Spanish one is made of it when somebody reads it. */
export const documentFile = new URL('openapi.json', import.meta.url);

/** The OpenAPI document in this language. */
export function readDocument(language: Language): OpenApiDocument {
  const document = JSON.parse(readFileSync(documentFile, 'utf8')) as OpenApiDocument;
  return language === 'en' ? document : inSpanish(document, integrationGuide(language));
}

/** The text of the document: the guide for integrators, without its title and with its headings one level deeper. */
export function integrationGuide(language: Language): string {
  const name = language === 'en' ? 'guide.md' : `guide.${language}.md`;
  const guide = readFileSync(new URL(name, import.meta.url), 'utf8');
  return (
    guide
      .replace(/^# .*\n/, '')
      // A `#` within a block of code begins a comment.
      .replaceAll(/^```.*?^```$|^#/gms, (found) => (found === '#' ? '##' : found))
      .trim()
  );
}
