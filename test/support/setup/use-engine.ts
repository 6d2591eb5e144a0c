import { startEngine } from '../engine/engine.ts';
import { useStarted } from './use-started.ts';

/** Starts an engine for a test file, with the empty tables of the stack. It runs from the first test on. */
export const useEngine = () => useStarted(startEngine);
