/** What a command line asks for. */
export type Chosen =
  | { readonly kind: 'run'; readonly names: readonly string[]; readonly keep: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The tables that a command line names, or all of them. */
export function chosenTables(words: readonly string[], all: readonly string[]): Chosen {
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help' };
  const names = words.filter((word) => word !== '--keep');
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) return { kind: 'refused', reason: `There is no table ${unknown.join(', ')}.` };
  return { kind: 'run', names: names.length > 0 ? names : all, keep: words.includes('--keep') };
}

/** How to use the command. */
export function usage(tables: Readonly<Record<string, { readonly about: string }>>): string {
  const width = Math.max(...Object.keys(tables).map((name) => name.length));
  const lines = Object.entries(tables).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return [
    'Usage: npm run bench -- [TABLE ...] [--keep]',
    '',
    ...lines,
    '',
    'Without a name all run. --keep writes their tables into the guide.',
  ].join('\n');
}
