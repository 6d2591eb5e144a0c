import { beforeEach } from 'vitest';
import { startPortal, startWatchedPortal, type WatchedPortal } from '../service/portal.ts';
import { useStarted } from './use-started.ts';

/** The functions of the service for a test file, on an engine of its own, from the first test on. */
export const usePortal = () => useStarted(startPortal);

/** The same, for tests that count the calls to the engine or let them fail; no fault outlives its test. */
export function useWatchedPortal(): WatchedPortal {
  const portal = useStarted(startWatchedPortal);
  beforeEach(() => portal.proxy.reset());
  return portal;
}
