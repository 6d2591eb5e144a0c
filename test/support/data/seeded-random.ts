import { createHash } from 'node:crypto';

/** Creates a generator of numbers from 0 to 1 (excluded). The same seed produces the same sequence. */
export function createSeededRandom(seed: number): () => number {
  let drawCount = 0;
  return () => createHash('sha256').update(`${seed} ${drawCount++}`).digest().readUInt32BE() / 2 ** 32;
}
