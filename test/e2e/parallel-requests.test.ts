import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import type { PortalClient } from '../../lib/client/portal-client.ts';
import type { AmountToCheck } from '../../lib/client/portal-data.ts';
import type { PortalError } from '../../lib/client/portal-error.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { clientOf } from '../support/engine/service-client.ts';

describe('200 parallel requests of one user over HTTP', () => {
  let service: LocalService;
  let client: PortalClient;
  beforeAll(async () => {
    service = await startLocalService({ demo: true });
    // It passes no time: what is refused stays refused, however often the client repeats it.
    client = clientOf(service, { wait: async () => {} });
  });
  afterAll(() => service.close());

  async function outcomes(call: (request: AmountToCheck) => Promise<unknown>): Promise<Record<string, number>> {
    const calls = Array.from({ length: 200 }, (_, index) =>
      call({ invoice_id: '9001', amount: 1000 + index }).then(
        () => 'OK',
        (error: PortalError) => error.code,
      ),
    );
    const codes = Map.groupBy(await Promise.all(calls), (code) => code);
    return Object.fromEntries([...codes].map(([code, of]) => [code, of.length]));
  }

  it('exactly 30 reads pass', async () => {
    expect(await outcomes((amount) => client.validateAmount(amount))).toEqual({ OK: 30, RATE_LIMITED: 170 });
  });

  it('exactly 10 writes pass', async () => {
    expect(await outcomes((amount) => client.declareInvoice(amount))).toEqual({ OK: 10, RATE_LIMITED: 190 });
  });
});
