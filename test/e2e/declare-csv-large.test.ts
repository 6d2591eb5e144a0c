import { beforeAll, expect, it } from 'vitest';
import { declareLines, estimateMinutes } from '../../lib/client/examples/declare-csv/declare-lines.ts';
import { readInvoices } from '../../lib/client/examples/declare-csv/read-invoices.ts';
import { RequestLog } from '../../lib/client/examples/declare-csv/request-log.ts';
import { runCli } from '../support/ops/run-ops.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

// More than the ten batches of a minute.
const INVOICES = 1010;
const ids = Array.from({ length: INVOICES }, (_, index) => `${500_000 + index}`);
const service = useLocalService();
beforeAll(async () => {
  const rows = ids.map((id) => `${id},200,5,2026-07-01,100\n`).join('');
  const run = await runCli(['import-invoices', '-', '--format', 'csv', '--tenant', 'demo.example', '--local'], {
    env: { AWS_ENDPOINT_URL_DYNAMODB: service.endpoint },
    input: `invoice_id,supplier_id,service_id,invoice_date,system_amount\n${rows}`,
  });
  expect(run).toMatchObject({ code: 0 });
});

it(
  '1,010 lines are declared within the limits of the service, within a minute of the time that was foretold, beyond the end of a token',
  { tags: 'long' },
  async () => {
    const csv = `invoice_id,amount\n${ids.map((id) => `${id},102.5\n`).join('')}`;
    const { lines } = await readInvoices(Buffer.from(csv));
    let waitedSeconds = 0;
    let logins = 0;
    let refusals = 0;
    const requests = new RequestLog(async (url, init) => {
      if (url.endsWith('/login')) logins += 1;
      const response = await fetch(url, init);
      if (response.status === 429) refusals += 1;
      return response;
    });
    const client = clientOf(service, {
      fetch: requests.fetch,
      async wait(seconds) {
        waitedSeconds += seconds;
        await moveClock(service.url, seconds);
      },
    });
    await client.login();
    await moveClock(service.url, 30 * 60);
    const progress = { begin() {}, advance() {}, showWait() {}, end() {} };
    const { signal } = new AbortController();
    const mode = { checkOnly: false, holdReview: true };
    const run = await declareLines(lines, { client, requests, ...mode, progress, signal });

    expect(run).not.toHaveProperty('stoppedBy');
    expect(new Set([...run.results.values()].map(({ outcome }) => outcome))).toEqual(new Set(['approved']));
    expect(refusals).toBe(0);
    // The service tells times in whole seconds, so some waits are a second longer than a minute needs.
    expect(waitedSeconds).toBeLessThanOrEqual(60 * (estimateMinutes(INVOICES, mode) + 1));
    expect(waitedSeconds).toBeGreaterThan(30 * 60);
    // A token is valid for an hour, of which half was gone.
    expect(logins).toBe(2);
    expect(await client.getInvoice(ids.at(-1)!)).toMatchObject({ state_code: 'APR', declared_amount: 102.5 });
  },
);
