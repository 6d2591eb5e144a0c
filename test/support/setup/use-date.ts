import { afterEach, beforeEach, vi } from 'vitest';

/** Begins each test of a file at this time; timers stay real. */
export function useDate(start: number | Date): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());
}
