import { globSync, readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';
import { LIMITS } from '../../lib/domain/limits.ts';
import type { OpenApiDocument } from './document.ts';

export const DOCUMENT_FILES: Readonly<Record<Language, URL>> = {
  en: new URL('openapi.json', import.meta.url),
  es: new URL('openapi.es.json', import.meta.url),
};

export const EVENTS_FILE = new URL('events.json', import.meta.url);

export function readDocument(language: Language): OpenApiDocument {
  return JSON.parse(readFileSync(DOCUMENT_FILES[language], 'utf8')) as OpenApiDocument;
}

/** Reads the integrators' guide in a language, as Markdown with the current limits. */
export function readGuide(language: Language): string {
  const name = language === 'en' ? 'guide.md' : 'guide.es.md';
  return removeMarks(fillLimits(readFileSync(new URL(name, import.meta.url), 'utf8')));
}

/** Reads the integrators' guide without its title, which is the description of the OpenAPI document. */
export function readGuideWithoutTitle(language: Language): string {
  const guide = readGuide(language);
  return guide.replace(/^# .*\n/, '').trim();
}

/** A number in a text, after the name of a limit in a comment that GitHub does not show: `<!--rangeDays-->93`. */
const NUMBER_IN_TEXT = /(?<=<!--(\w+)-->)[\d.]+/g;

/** A number in a program, before a comment with the name of a limit: `PAGE = 100  # limit: pageMax`. */
const NUMBER_IN_PROGRAM = /\d+(?=;? +(?:#|\/\/) limit: (\w+))/g;

/** Replaces the marked numbers of a guide with those of LIMITS. Throws for a mark that names no limit. */
export function fillLimits(guide: string): string {
  return guide.replaceAll(NUMBER_IN_TEXT, getLimit).replaceAll(NUMBER_IN_PROGRAM, getLimit);
}

function getLimit(_number: string, name: string): string {
  if (!Object.hasOwn(LIMITS, name)) throw new Error(`No limit has the name ${name}.`);
  return String(LIMITS[name as keyof typeof LIMITS]);
}

/** Removes the marks of a text that is not shown as Markdown. */
export function removeMarks(guide: string): string {
  return guide.replaceAll(/<!--\w+-->/g, '');
}

/** Reads all guides of the repository that have marks, with the current limits. */
export function fillLimitsInGuides(): { file: URL; text: string }[] {
  const root = new URL('../../', import.meta.url);
  const guides: { file: URL; text: string }[] = [];
  for (const path of globSync(['README.md', '{lib,infra}/**/*.md'], { cwd: root })) {
    const file = new URL(path, root);
    const text = readFileSync(file, 'utf8');
    const hasMarks = [NUMBER_IN_TEXT, NUMBER_IN_PROGRAM].some((mark) => text.search(mark) >= 0);
    if (hasMarks) guides.push({ file, text: fillLimits(text) });
  }
  return guides;
}
