import { globSync, readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import type { OpenApiDocument } from './document.ts';

export const documentFiles: Readonly<Record<Language, URL>> = {
  en: new URL('openapi.json', import.meta.url),
  es: new URL('openapi.es.json', import.meta.url),
};

export const eventsFile = new URL('events.json', import.meta.url);

export function readDocument(language: Language): OpenApiDocument {
  return JSON.parse(readFileSync(documentFiles[language], 'utf8')) as OpenApiDocument;
}

/** Returns the guide for integrators in a language, in Markdown, with the current limits. */
export function readGuide(language: Language): string {
  const name = language === 'en' ? 'guide.md' : `guide.${language}.md`;
  return removeMarks(fillLimits(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

/** Returns the description of the document: the guide for integrators without its title. */
export function readIntegrationGuide(language: Language): string {
  return readGuide(language)
    .replace(/^# .*\n/, '')
    .trim();
}

// `<!--rangeDays-->93` in text, which GitHub shows as 93; `PAGE = 100  # limit: pageMax` in a program.
const MARKED = /(?<=<!--(\w+)-->)[\d.]+|\d+(?=;? +(?:#|\/\/) limit: (\w+))/g;

/** Returns a guide whose marked numbers are those of LIMITS; throws for a mark that names no limit. */
export function fillLimits(guide: string): string {
  return guide.replaceAll(MARKED, (_number, inText?: string, inProgram?: string) => {
    const name = (inText ?? inProgram) as keyof typeof LIMITS;
    if (!(name in LIMITS)) throw new Error(`No limit has the name ${name}.`);
    return String(LIMITS[name]);
  });
}

/** Removes the marks of a text that is not shown as Markdown. */
export function removeMarks(guide: string): string {
  return guide.replaceAll(/<!--\w+-->/g, '');
}

/** Returns all guides of the repository that have marks, with the current limits. */
export function readGuidesWithLimits(): { file: URL; text: string }[] {
  const root = new URL('../../', import.meta.url);
  const files = globSync(['README.md', '{lib,infra}/**/*.md'], { cwd: root }).map((path) => new URL(path, root));
  const guides = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  return guides
    .filter(({ text }) => text.search(MARKED) >= 0)
    .map(({ file, text }) => ({ file, text: fillLimits(text) }));
}
