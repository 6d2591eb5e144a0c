import { readFileSync } from 'node:fs';
import type { Language } from '../../lib/domain/language.ts';

/** The committed OpenAPI document, which is in English. */
export const DOCUMENT_FILE = new URL('openapi.json', import.meta.url);

/** The programs that the integrators' guide describes. */
export const PROGRAMS = [
  'changed_invoices.php',
  'changed_invoices.py',
  'declare_month.php',
  'declare_month.py',
  'generated_client.php',
  'generated_client.py',
] as const;

/** Reads the source code of a program of the integrators' guide. */
export function readProgram(name: (typeof PROGRAMS)[number]): string {
  return readFileSync(new URL(`programs/${name}`, import.meta.url), 'utf8');
}

/** Reads the integrators' guide in a language, as Markdown. */
export function readGuide(language: Language): string {
  const name = language === 'en' ? 'guide.md' : 'guide.es.md';
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** Reads the integrators' guide without its title. This text is the description of the OpenAPI document. */
export function readGuideWithoutTitle(language: Language): string {
  const guide = readGuide(language);
  return guide.replace(/^# .*\n/, '').trim();
}
