import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { listen, localHost } from '../../infra/local/ports.ts';
import { declareLines, estimatedMinutes } from '../../lib/client/examples/declare-csv/declare-lines.ts';
import { readInvoices } from '../../lib/client/examples/declare-csv/read-invoices.ts';
import { RequestLog } from '../../lib/client/examples/declare-csv/request-log.ts';
import { runCli } from '../support/ops/run-ops.ts';
import { runDeclareCsv } from '../support/processes/declare-csv.ts';
import { endsAfterCtrlC, pressCtrlC } from '../support/processes/press-ctrl-c.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';
import { useStarted } from '../support/setup/use-started.ts';

/**
 * Stands before a local service and moves its clock, so that nobody meets a limit; what `keepsBack` picks is never
 * answered, nor sent on.
 */
async function startPacedGateway(
  url: string,
  keepsBack: (path: string) => boolean,
): Promise<{ readonly url: string; close(): void }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    if (keepsBack(path)) return;
    const sent = Object.entries(headers).filter(([name]) =>
      /^(authorization|content-type|tenant|x-api-key)$/.test(name),
    );
    void (async () => {
      if (++requests % 10 === 0) await moveClock(url, 61);
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: sent as [string, string][],
        body: await text(request),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  const port = await listen(server, 0);
  return {
    url: `http://${localHost}:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

// More than the ten batches of a minute.
const INVOICES = 1010;
const ids = Array.from({ length: INVOICES }, (_, index) => `${500_000 + index}`);
const csvOf = (some: readonly string[], amount: string) =>
  `invoice_id,amount\n${some.map((id) => `${id},${amount}\n`).join('')}`;

const directory = mkdtempSync(join(tmpdir(), 'declare-csv-'));
const service = useStarted(() => startLocalService({ demo: true }));
beforeAll(async () => {
  const rows = ids.map((id) => `${id},200,5,2026-07-01,100\n`).join('');
  const run = await runCli(['import-invoices', '-', '--format', 'csv', '--tenant', 'demo.example', '--local'], {
    env: { AWS_ENDPOINT_URL_DYNAMODB: service.endpoint },
    input: `invoice_id,supplier_id,service_id,invoice_date,system_amount\n${rows}`,
  });
  expect(run).toMatchObject({ code: 0 });
});

it('Ctrl-C tells truthfully what was declared, what was not, and what nobody knows', { tags: 'long' }, async () => {
  const file = join(directory, 'interrupted.csv');
  const report = join(directory, 'report.csv');
  writeFileSync(file, csvOf(ids.slice(0, 250), '101'));
  let child: ChildProcess | undefined;
  let batches = 0;
  const gateway = await startPacedGateway(service.url, (path) => {
    if (!path.endsWith('/declare-batch') || ++batches === 1) return false;
    if (child) pressCtrlC(child);
    return true;
  });
  const run = await runDeclareCsv(gateway.url, [file, '--report', report], { started: (started) => (child = started) });
  gateway.close();

  expect(endsAfterCtrlC(130)).toContain(run.code);
  expect(run.stdout).toMatch(/^Stopped: interrupted\.$/m);
  expect(run.stdout).toMatch(/^Approved automatically +100 +10100\.00$/m);
  expect(run.stdout).toMatch(/^Unknown: was under way, run again .* 100 +10100\.00$/m);
  expect(run.stdout).toMatch(/^Not declared +50 +5050\.00$/m);
  const outcomes = readFileSync(report, 'utf8')
    .trim()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(',')[3]);
  expect([0, 99, 100, 199, 200, 249].map((index) => outcomes[index])).toEqual([
    'approved',
    'approved',
    'unknown',
    'unknown',
    'not_declared',
    'not_declared',
  ]);
  const client = clientOf(service);
  expect(await client.getInvoice(ids[99]!)).toMatchObject({ state_code: 'APR', declared_amount: 101 });
  expect(await client.getInvoice(ids[100]!)).toMatchObject({ state_code: 'PEN', declared_amount: null });
});

it(
  '1,010 lines are declared within the limits of the service, within a minute of the time that was foretold, beyond the end of a token',
  { tags: 'long' },
  async () => {
    await moveClock(service.url, 61);
    const { lines } = await readInvoices(Buffer.from(csvOf(ids, '102.5')));
    let waitedSeconds = 0;
    let logins = 0;
    let refusals = 0;
    const requests = new RequestLog(async (input, init) => {
      if ((input as string).endsWith('/login')) logins += 1;
      const response = await fetch(input, init);
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
    const progress = { begin() {}, advance() {}, waiting() {}, end() {} };
    const { signal } = new AbortController();
    const run = await declareLines(lines, { client, requests, checkOnly: false, holdReview: false, progress, signal });

    expect(run).not.toHaveProperty('stoppedBy');
    expect(new Set([...run.results.values()].map(({ outcome }) => outcome))).toEqual(new Set(['approved']));
    expect(refusals).toBe(0);
    // The service tells times in whole seconds, so some waits are a second longer than a minute needs.
    expect(waitedSeconds).toBeLessThanOrEqual(60 * (estimatedMinutes(INVOICES) + 1));
    expect(waitedSeconds).toBeGreaterThan(30 * 60);
    // A token is valid for an hour, of which half was gone.
    expect(logins).toBe(2);
    expect(await client.getInvoice(ids.at(-1)!)).toMatchObject({ state_code: 'APR', declared_amount: 102.5 });
  },
);
