import { startEngine } from '../engine/engine.ts';
import { useStarted } from './use-started.ts';

/** An engine of its own for a test file, with the empty tables of the stack; it is there from the first test on. */
export const useEngine = () => useStarted(startEngine);
