import { readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';
import type { OpenApiDocument } from './document.ts';
import { fillLimits, removeMarks } from './limits-in-guides.ts';

export const documentFiles: Readonly<Record<Language, URL>> = {
  en: new URL('openapi.json', import.meta.url),
  es: new URL('openapi.es.json', import.meta.url),
};

/** Reads the OpenAPI document in a language. */
export function readDocument(language: Language): OpenApiDocument {
  return JSON.parse(readFileSync(documentFiles[language], 'utf8')) as OpenApiDocument;
}

/** Returns the guide for integrators in a language, in Markdown, with the current limits. */
export function guideText(language: Language): string {
  const name = language === 'en' ? 'guide.md' : `guide.${language}.md`;
  return removeMarks(fillLimits(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

/** Returns the description of the document: the guide for integrators without its title. */
export function integrationGuide(language: Language): string {
  return guideText(language)
    .replace(/^# .*\n/, '')
    .trim();
}
