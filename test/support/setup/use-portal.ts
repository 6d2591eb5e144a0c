import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Portal, startPortal, startWatchedPortal, type WatchedPortal } from '../service/portal.ts';

/** The functions of the service for a test file, on an engine of its own, from the first test on. */
export function usePortal(): Portal {
  return use({} as Portal, startPortal);
}

/** The same, for tests that count the calls to the engine or let them fail; no fault outlives its test. */
export function useWatchedPortal(): WatchedPortal {
  const portal = use({} as WatchedPortal, startWatchedPortal);
  beforeEach(() => portal.proxy.reset());
  return portal;
}

function use<Started extends Portal>(portal: Started, start: () => Promise<Started>): Started {
  beforeAll(async () => void Object.assign(portal, await start()));
  afterAll(() => portal.close());
  return portal;
}
