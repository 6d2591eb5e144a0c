import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One way to break the code: in one file, a text that occurs there exactly once is replaced. */
export type Mutant = readonly [name: string, file: string, original: string, replacement: string];

/** Mutants that the tests of these rules must notice; `list-invoices/` stands for all rules that begin with it. */
export interface Family {
  readonly rules: readonly string[];
  readonly mutants: readonly Mutant[];
}

/**
 * The source of a mutant's file below `root`, as it is and as the mutant makes it; throws when the text to replace is
 * not there exactly once.
 */
export function mutate(root: string, [name, file, original, replacement]: Mutant): { source: string; mutated: string } {
  const source = readFileSync(join(root, file), 'utf8');
  const times = source.split(original).length - 1;
  if (times !== 1) throw new Error(`${name}: ${file} has its text ${times} times.`);
  return { source, mutated: source.replace(original, () => replacement) };
}

/** Whether a rule is one of a family's. */
export function belongsTo({ rules }: Family, rule: string): boolean {
  return rules.some((id) => (id.endsWith('/') ? rule.startsWith(id) : rule === id));
}
