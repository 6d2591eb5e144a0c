import { readFileSync } from 'node:fs';

/** The guide for integrators as the text of the document: without its title, and one level deeper, for the document has a title. */
export function integrationGuide(): string {
  const guide = readFileSync(new URL('guide.md', import.meta.url), 'utf8');
  return guide
    .replace(/^# .*\n/, '')
    .replace(/^#/gm, '##')
    .trim();
}
