import { afterEach, beforeEach, vi } from 'vitest';

/** Sets the clock to this time before each test of a file. Timers stay real. */
export function useDate(start: number | Date): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
  afterEach(() => void vi.useRealTimers());
}
