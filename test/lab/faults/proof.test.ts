import { expect, it } from 'vitest';
import { proveDeclarations } from './proof.ts';

it(
  '300 declarations, while a fifth of all calls fail in every way, stand in the tables as their answers say',
  { tags: 'long' },
  async () => {
    const { violations, sent, repeated, hits, calls, exports } = await proveDeclarations(300, 1);
    expect(violations).toEqual([]);
    expect(sent).toHaveLength(300);
    expect(new Set(sent.map(({ told }) => told))).toEqual(new Set(['written', 'not written', 'unknown']));
    expect(repeated).toBeGreaterThan(0);
    expect(exports).toBeGreaterThan(1);
    // One of each kind, so that no way to fail is left out.
    expect(hits.size).toBe(10);
    const faulty = [...hits.values()].reduce((sum, count) => sum + count, 0);
    expect(faulty / calls).toBeGreaterThan(0.15);
  },
);
