import type { Table } from './tables.ts';

type Tables = Readonly<Record<string, Table>>;

/** What a command line asks for. */
export type Chosen =
  | { readonly kind: 'run'; readonly names: readonly string[]; readonly keep: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The tables that a command line names, or all that do not take long. */
export function chosenTables(words: readonly string[], tables: Tables): Chosen {
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help' };
  const names = words.filter((word) => word !== '--keep');
  const unknown = names.filter((name) => !Object.hasOwn(tables, name));
  if (unknown.length > 0) return { kind: 'refused', reason: `There is no table ${unknown.join(', ')}.` };
  const usual = Object.keys(tables).filter((name) => !tables[name]?.long);
  return { kind: 'run', names: names.length > 0 ? names : usual, keep: words.includes('--keep') };
}

/** How to use the command. */
export function usage(tables: Tables): string {
  const width = Math.max(...Object.keys(tables).map((name) => name.length));
  const lines = Object.entries(tables).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return [
    'Usage: npm run bench -- [TABLE ...] [--keep]',
    '',
    ...lines,
    '',
    'Without a name all run but those that take long. --keep writes their tables into the guide.',
  ].join('\n');
}
