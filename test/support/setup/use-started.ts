import { afterAll, beforeAll } from 'vitest';

/** Starts something before the first test of a file or `describe`, and closes it after the last test. */
export function useStarted<Started extends { close(): unknown }>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => started.close());
  return started;
}
