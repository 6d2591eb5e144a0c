import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import type { Fetch } from '../../lib/client/exchange.ts';
import type { PortalClient } from '../../lib/client/portal-client.ts';
import type { AmountToCheck } from '../../lib/client/portal-data.generated.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { clientOf } from '../support/service/service-client.ts';

describe('200 parallel requests of one user over HTTP', { tags: 'long' }, () => {
  let service: LocalService;
  let client: PortalClient;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
    client = clientOf(service, { fetch: counted, wait: () => Promise.reject(new Error('It is not repeated.')) });
  });
  afterAll(() => service.close());

  const counts: Record<string, number> = {};
  const counted: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!url.endsWith('/login')) counts[response.status] = (counts[response.status] ?? 0) + 1;
    return response;
  };

  /** How many of the calls were answered with each status. */
  async function statuses(call: (request: AmountToCheck) => Promise<unknown>): Promise<Record<string, number>> {
    for (const status of Object.keys(counts)) delete counts[status];
    await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => call({ invoice_id: '9001', amount: 1000 + index })),
    );
    return counts;
  }

  it('exactly 30 reads pass', async () => {
    expect(await statuses((amount) => client.validateAmount(amount))).toEqual({ 200: 30, 429: 170 });
  });

  it('exactly 10 writes pass', async () => {
    expect(await statuses((amount) => client.declareInvoice(amount))).toEqual({ 200: 10, 429: 190 });
  });
});
