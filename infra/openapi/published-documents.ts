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

/** Reads the guide for integrators in a language, in Markdown, with the current limits. */
export function readGuide(language: Language): string {
  const name = language === 'en' ? 'guide.md' : `guide.${language}.md`;
  return removeMarks(fillLimits(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

/** Reads the description of the document: the guide for integrators without its title. */
export function readIntegrationGuide(language: Language): string {
  return readGuide(language)
    .replace(/^# .*\n/, '')
    .trim();
}

/**
 * A number with the name of a limit: in a text `<!--rangeDays-->93`, which GitHub shows as 93, and in a program
 * `PAGE = 100  # limit: pageMax`.
 */
const MARKED_NUMBER = /(?<=<!--(\w+)-->)[\d.]+|\d+(?=;? +(?:#|\/\/) limit: (\w+))/g;

/** Replaces the marked numbers of a guide by those of LIMITS. Throws for a mark that names no limit. */
export function fillLimits(guide: string): string {
  return guide.replaceAll(MARKED_NUMBER, (_number, nameInText?: string, nameInProgram?: string) => {
    const name = (nameInText ?? nameInProgram) as keyof typeof LIMITS;
    if (!(name in LIMITS)) throw new Error(`No limit has the name ${name}.`);
    return String(LIMITS[name]);
  });
}

/** Removes the marks of a text that is not shown as Markdown. */
export function removeMarks(guide: string): string {
  return guide.replaceAll(/<!--\w+-->/g, '');
}

/** Reads all guides of the repository that have marks, with the current limits. */
export function readGuidesWithLimits(): { file: URL; text: string }[] {
  const root = new URL('../../', import.meta.url);
  const files = globSync(['README.md', '{lib,infra}/**/*.md'], { cwd: root }).map((path) => new URL(path, root));
  const guides = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  return guides
    .filter(({ text }) => text.search(MARKED_NUMBER) >= 0)
    .map(({ file, text }) => ({ file, text: fillLimits(text) }));
}
