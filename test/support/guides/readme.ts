import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The text of a guide, which its path in the repository names. */
export function readGuide(guide: string): string {
  return readFileSync(new URL(`../../../${guide}`, import.meta.url), 'utf8');
}

/** What a guide says after a heading (of any level), up to its end. */
function readTextAfter(guide: string, heading: string): string {
  const text = readGuide(guide);
  const start = text.indexOf(`# ${heading}\n`);
  if (start === -1) throw new Error(`${guide} has no heading "${heading}".`);
  return text.slice(start);
}

/** What a guide says under a heading of the second level, up to the next one. */
export function readSection(guide: string, heading: string): string {
  return readTextAfter(guide, heading).split('\n## ')[0] ?? '';
}

/** The first block of a language after a heading (of any level) of a guide. */
export function readBlock(guide: string, heading: string, language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readTextAfter(guide, heading))?.[1];
  if (!block) throw new Error(`${guide} shows no ${language} under ${heading}.`);
  return block;
}

/** Returns the first word of each code span in the rows of the tables under a heading. */
export function readTableNames(guide: string, heading: string): string[] {
  const rows = readSection(guide, heading).match(/^\|.*$/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^` ]+)[^`]*`/g)].map(([, name = '']) => name));
}

/** The capacity units of each kind of request, by the function that answers it, as the guide's costs count them. */
export function readRequestUnits(): Record<string, { readonly readUnits: number; readonly writeUnits: number }> {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    login: ['login'],
    'list, a page of 25': ['list-invoices'],
    'detail, validate; a declaration that changes nothing': ['get-invoice', 'validate-amount'],
    declare: ['declare-invoice'],
    'batch of 25': ['declare-batch'],
    'import of 25': ['import'],
  };
  const rows = readSection('infra/README.md', 'Costs').matchAll(/^\| (.+?) +\| +(\d+) \| +(\d+) \|$/gm);
  return Object.fromEntries(
    [...rows].flatMap(([, words = '', reads, writes]) => {
      const units = { readUnits: Number(reads), writeUnits: Number(writes) };
      return (kinds[words] ?? []).map((name) => [name, units]);
    }),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The answers that a block shows, one after the other, each from a line that begins with `{`. An object with `…` shows
 * some of its fields, and matches whatever has these.
 */
export function parseShownResponses(block: string): unknown[] {
  const ELLIPSIS = '…';
  const matcher = (_: string, value: unknown): unknown => {
    if (!isObject(value) || !(ELLIPSIS in value)) return value;
    const { [ELLIPSIS]: _others, ...shown } = value;
    return expect.objectContaining(shown);
  };
  const answers = block.trim().split(/\n(?=\{)/);
  return answers.map((answer): unknown => JSON.parse(answer.replaceAll(ELLIPSIS, `"${ELLIPSIS}": true`), matcher));
}
