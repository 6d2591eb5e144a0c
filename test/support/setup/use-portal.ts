import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Portal, startPortal } from '../service/portal.ts';

/**
 * The functions of the service for a test file, on an engine of its own, from the first test on; no fault outlives its
 * test.
 */
export function usePortal(): Portal {
  const portal = {} as Portal;
  beforeAll(async () => void Object.assign(portal, await startPortal()));
  beforeEach(() => portal.proxy.reset());
  afterAll(() => portal.close());
  return portal;
}
