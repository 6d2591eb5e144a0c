import { demoAccount } from '../../../infra/demo-account.ts';
import { logIn } from '../../../infra/local/demo.ts';
import { sampleRequests } from '../../../infra/sample-requests.ts';
import { type LocalService, startService } from '../../../infra/local/service.ts';
import { clientOf, moveClock } from '../../support/service/service-client.ts';
import { measureInTurns, timed } from '../measuring/in-turns.ts';
import { ratioOf } from '../measuring/statistics.ts';
import type { Report } from '../report/report.ts';

const TURNS = { rounds: 30, warmUp: 3 };
const AMOUNTS = 4_999;
const demoRange = { startdate: '2026-06-01', enddate: '2026-08-31' };

/** How long each endpoint of `npm start` takes through the client, and one of them without the client. */
export async function endpoints(): Promise<Report> {
  const service = await startService({ port: 0, dynamodbPort: 0, demo: 'small', quiet: true });
  try {
    const ms = await measureInTurns(callsOf(service, await bareDetail(service)), TURNS);
    return {
      name: 'endpoints',
      title: 'Over HTTP',
      columns: ['p50 ms', 'p95 ms'],
      measure: 'time / detail',
      rows: Object.entries(ms).map(([name, own]) => ({
        name,
        cells: [own.p50, own.p95],
        now: ratioOf(own, ms.detail),
      })),
    };
  } finally {
    await service.close();
  }
}

function callsOf(service: LocalService, fetchDetail: () => Promise<unknown>) {
  const client = clientOf(service);
  let declared = 0;
  // Each time another amount: the same one again would not be written.
  const declaration = () => ({ invoice_id: '9001', amount: 1000 + (declared++ % AMOUNTS) / 100 });
  const call = (work: () => Promise<unknown>) => {
    const measured = timed(work);
    return async (round: number) => {
      // So much time goes by on the service's clock that not even 10 requests a minute are too many.
      await moveClock(service.url, 7);
      return measured(round);
    };
  };
  return {
    detail: call(() => client.getInvoice('9001')),
    'detail, without the client': call(fetchDetail),
    validate: call(() => client.validateAmount(declaration())),
    declare: call(() => client.declareInvoice(declaration())),
    'list, a page of 25': call(() => client.listInvoices(demoRange)),
    'list, a search': call(() => client.listInvoices({ ...demoRange, search: 'santa' })),
    login: call(() => clientOf(service).login()),
  };
}

async function bareDetail({ url }: LocalService): Promise<() => Promise<unknown>> {
  const { path, headers } = sampleRequests(demoAccount, await logIn(url, demoAccount))['get-invoice'];
  return async () => (await fetch(url + path, { headers })).json();
}
