import { afterAll, beforeAll } from 'vitest';
import { startEngine, type TestEngine } from '../engine/engine.ts';

/** An engine of its own for a test file, with the empty tables of the stack; it is there from the first test on. */
export function useEngine(): TestEngine {
  const engine = {} as TestEngine;
  beforeAll(async () => void Object.assign(engine, await startEngine()));
  afterAll(() => engine.close());
  return engine;
}
