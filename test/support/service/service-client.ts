import { DEMO_ACCOUNT } from '../../../infra/openapi/sample-requests.ts';
import { createPortalClient, type PortalClient } from '../../../lib/client/index.ts';

/**
 * Creates a client of a running local service for the demo account, or for another user of its company. Instead of
 * waiting, the client moves the clock of the service.
 */
export function createLocalClient({ url }: { readonly url: string }, email = DEMO_ACCOUNT.email): PortalClient {
  return createPortalClient({ baseUrl: url, ...DEMO_ACCOUNT, email, wait: (seconds) => moveClock(url, seconds) });
}

/** Moves the clock of a local service forward. */
export async function moveClock(url: string, seconds: number): Promise<void> {
  const body = JSON.stringify({ advance_seconds: seconds });
  const { ok, status } = await fetch(`${url}/_local/clock`, { method: 'POST', body });
  if (!ok) throw new Error(`The clock could not be moved (status ${status}).`);
}
