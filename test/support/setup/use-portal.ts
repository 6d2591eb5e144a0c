import { beforeEach } from 'vitest';
import { startPortal, startWatchedPortal, type WatchedPortal } from '../service/portal.ts';
import { useStarted } from './use-started.ts';

/** Starts the functions of the service on their own engine for a test file. */
export const usePortal = () => useStarted(startPortal);

/** Starts a portal whose engine calls can be counted or fail. Before each test, the proxy removes all faults. */
export function useWatchedPortal(): WatchedPortal {
  const portal = useStarted(startWatchedPortal);
  beforeEach(() => portal.proxy.reset());
  return portal;
}
