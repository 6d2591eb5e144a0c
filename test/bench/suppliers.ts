import type { LocalService } from '../../infra/local/service.ts';
import type { PortalClient } from '../../lib/client/portal-client.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

/** A client of the supplier with 1,000 invoices in the range. */
export function smallSupplier(service: LocalService): PortalClient {
  return clientOf(service, { email: 'carla@demo.example' });
}

/** A client of the supplier with 100,000 invoices in the range. */
export function largeSupplier(service: LocalService): PortalClient {
  return clientOf(service, { email: 'diego@demo.example' });
}

/** Lets so much time go by on the service's clock that not even 10 requests a minute are too many. */
export function avoidLimits({ url }: LocalService): () => Promise<void> {
  return () => moveClock(url, 7);
}
