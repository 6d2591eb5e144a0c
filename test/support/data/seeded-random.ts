import { createHash } from 'node:crypto';

/** A generator of numbers from 0 up to 1 (excluded) that gives the same ones for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let drawCount = 0;
  return () => createHash('sha256').update(`${seed} ${drawCount++}`).digest().readUInt32BE() / 2 ** 32;
}
