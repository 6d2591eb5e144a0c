import { readFileSync } from 'node:fs';

/** The text of the document: the guide for integrators, without its title and with its headings one level deeper. */
export function integrationGuide(): string {
  const guide = readFileSync(new URL('guide.md', import.meta.url), 'utf8');
  return guide
    .replace(/^# .*\n/, '')
    .replace(/^#/gm, '##')
    .trim();
}
