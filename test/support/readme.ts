import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The first block of a language after a heading of README.md. */
export function blockAfter(heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`\n## ${heading}\n`));
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1];
  if (!block) throw new Error(`README.md shows no ${language} under ${heading}.`);
  return block;
}
