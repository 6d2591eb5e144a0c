import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** The first block of a language after a heading (of any level) of README.md. */
export function blockAfter(heading: string, language: string): string {
  const section = readme.slice(readme.indexOf(`# ${heading}\n`));
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section)?.[1];
  if (!block) throw new Error(`README.md shows no ${language} under ${heading}.`);
  return block;
}

/** The names in code font with which the rows of the first table after a heading (of any level) begin. */
export function namesInTableAfter(heading: string): string[] {
  const section = readme.slice(readme.indexOf(`# ${heading}\n`));
  const [table = ''] = /^\|.*(?:\n\|.*)*/m.exec(section) ?? [];
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}
