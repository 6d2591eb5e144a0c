import { readFileSync } from 'node:fs';

/** What README.md says to integrators under "Integrate", down to its tools: the text of the document, so that it is written once. */
export function integrationGuide(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const guide = /\n## Integrate\n\n(.*?)\n### Tools\n/s.exec(readme)?.[1];
  if (guide === undefined) throw new Error('README.md has no section "Integrate" with a part "Tools".');
  return guide.trim();
}
