import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { families } from '../../mutants/families.ts';
import { belongsTo, mutate } from '../../mutants/mutant.ts';
import { rules } from '../../rules/rules.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const mutants = Object.values(families).flatMap((family) => family.mutants);

describe('the mutants', () => {
  it.each(mutants.map((mutant) => ({ name: mutant[0], mutant })))('fit the code: $name', ({ mutant }) => {
    const { source, mutated } = mutate(root, mutant);
    expect(mutated).not.toBe(source);
  });

  it('have names of their own', () => {
    const names = mutants.map(([name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('name rules that there are', () => {
    const named = Object.values(families).flatMap((family) => family.rules);
    const ids = rules.map(([id]) => id);
    const unknown = named.filter((id) => !ids.some((each) => belongsTo({ rules: [id], mutants: [] }, each)));
    expect(unknown).toEqual([]);
  });
});
