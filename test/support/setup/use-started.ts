import { afterAll, beforeAll } from 'vitest';

/** What a test file, or a group of its tests, starts before the first test and closes after the last. */
export function useStarted<Started extends { close(): unknown }>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => started.close());
  return started;
}
