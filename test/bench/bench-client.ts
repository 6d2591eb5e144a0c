import { demoAccount } from '../../infra/local/demo.ts';
import { logIn } from '../../infra/local/demo-log-in.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { clientOf } from '../support/service/service-client.ts';
import { measure } from './measure.ts';
import { avoidLimits } from './suppliers.ts';
import { printTable } from './table.ts';

/** Times the same request through the client and through fetch alone, in turns. */
export async function benchClient(service: LocalService): Promise<void> {
  const client = clientOf(service);
  const token = await logIn(service.url, demoAccount);
  const headers = {
    tenant: demoAccount.tenant,
    Authorization: `Bearer ${token}`,
    'X-API-Key': demoAccount.apiKey,
  };
  const url = `${service.url}/apidev/v1/supplier-portal/invoices/9001`;
  const timings = await measure(
    {
      'fetch alone': async () => (await fetch(url, { headers })).json(),
      'the client': () => client.getInvoice('9001'),
    },
    { rounds: 200, prepare: avoidLimits(service) },
  );
  const alone = timings['fetch alone'].median;
  printTable(
    ['an invoice, 200 calls each, in ms', 'median', 'p95', 'ratio'],
    Object.entries(timings).map(([name, { median, p95 }]) => [name, median, p95, median / alone]),
  );
}
