import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Reads a guide by its path in the repository. */
export function readGuide(guide: string): string {
  return readFileSync(new URL(`../../../${guide}`, import.meta.url), 'utf8');
}

/** Reads the text from a heading (of any level) to the end of the guide. */
function readTextAfter(guide: string, heading: string): string {
  const text = readGuide(guide);
  const start = text.indexOf(`# ${heading}\n`);
  if (start === -1) throw new Error(`${guide} has no heading "${heading}".`);
  return text.slice(start);
}

/** Reads the section under a heading of the second level. */
export function readSection(guide: string, heading: string): string {
  return readTextAfter(guide, heading).split('\n## ')[0] ?? '';
}

/** Reads the first code block of a language after a heading (of any level). */
export function readBlock(guide: string, heading: string, language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readTextAfter(guide, heading))?.[1];
  if (!block) throw new Error(`${guide} has no ${language} block under ${heading}.`);
  return block;
}

/** Returns the first word of each code span in the rows of the tables under a heading. */
export function readTableNames(guide: string, heading: string): string[] {
  const rows = readSection(guide, heading).match(/^\|.*$/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^` ]+)[^`]*`/g)].map(([, name = '']) => name));
}

/** Reads the capacity units per request, by function, from the table of costs in the guide. */
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

/**
 * Parses the responses in a block. Each response starts on a line that begins with `{`. An object that contains `…`
 * becomes a matcher for objects with at least the other fields.
 */
export function parseShownResponses(block: string): unknown[] {
  const ELLIPSIS = '…';
  const matcher = (_: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !(ELLIPSIS in value)) return value;
    const { [ELLIPSIS]: _others, ...shown } = value;
    return expect.objectContaining(shown);
  };
  const responses = block.trim().split(/\n(?=\{)/);
  return responses.map((response): unknown =>
    JSON.parse(response.replaceAll(ELLIPSIS, `"${ELLIPSIS}": true`), matcher),
  );
}
