import { readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';

/** Where the OpenAPI document is, in each language. */
export const documentFiles: Readonly<Record<Language, URL>> = {
  en: new URL('openapi.json', import.meta.url),
  es: new URL('openapi.es.json', import.meta.url),
};

/** The OpenAPI document in this language. */
export function readDocument(language: Language): object {
  return JSON.parse(readFileSync(documentFiles[language], 'utf8')) as object;
}
