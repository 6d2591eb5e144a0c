import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { totalUnits } from '../support/engine/engine-calls.ts';
import { type LogLine, metricsIn } from '../support/answers/embedded-metrics.ts';
import { type LoggedService, startLoggedService } from '../support/service/logged-service.ts';
import {
  portalRequests,
  type RequestName,
  requestNames,
  type RequestParts,
  send,
} from '../support/service/portal-requests.ts';
import { moveClock } from '../support/service/service-client.ts';

// Long enough that calls sent side by side overlap even on a busy machine.
const DELAY_MS = 40;
// After it, failed logins and a block by them are over.
const FAILURES_COUNT_S = 91;

let service: LoggedService;
beforeAll(async () => {
  service = await startLoggedService();
});
beforeEach(() => {
  service.proxy.reset();
  service.proxy.delayMs = DELAY_MS;
});
afterEach(() => void (service.proxy.delayMs = 0));
afterAll(() => service.close());

/** Sends a request; gives its answer and its one log line. */
async function lineOf(name: RequestName, parts: RequestParts) {
  service.proxy.reset();
  const { status, requestId } = await send(service.url, portalRequests[name](parts));
  const lines = await service.linesOf(requestId);
  expect(lines.map(({ message }) => message)).toEqual(['request']);
  return { status, requestId, line: lines[0] as LogLine };
}

/** What the proxy saw of the request. */
function seenByTheProxy() {
  const { calls } = service.proxy;
  const tables = Object.values(totalUnits(calls));
  return {
    calls: calls.length,
    round_trips: service.proxy.serialRoundTrips(),
    read_units: tables.reduce((sum, { read }) => sum + read, 0),
    write_units: tables.reduce((sum, { write }) => sum + write, 0),
  };
}

/** The metrics of a line, which are all of the service as a whole. */
const metricsOf = (line: LogLine) =>
  metricsIn(line).map(({ name, dimensions }) => {
    expect(dimensions).toEqual({ service: stackNameOf('dev') });
    return name;
  });

describe('the log line of a request', () => {
  it.each(requestNames)('says who it was, what became of it and what it used: %s', async (name) => {
    const parts = await service.newParts();
    const { tenant, userId, supplierId } = parts.account.reference;
    const endpoint = name.split(' ')[0];

    await send(service.url, portalRequests[name](parts));
    const { status, requestId, line } = await lineOf(name, parts);

    expect(status).toBe(200);
    expect(line).toEqual({
      level: 'INFO',
      message: 'request',
      timestamp: expect.any(String),
      service: stackNameOf('dev'),
      request_id: requestId,
      endpoint,
      tenant,
      user_id: userId,
      supplier_id: supplierId,
      ...(name !== 'login' && { api_key_last4: parts.account.apiKey.slice(-4) }),
      status: 200,
      duration_ms: expect.any(Number),
      ...seenByTheProxy(),
      cold_start: false,
      _aws: expect.any(Object),
      RoundTrips: line['round_trips'],
    });
    expect(metricsOf(line)).toEqual(['RoundTrips']);
  });

  it('names the code of an error, and counts it', async () => {
    const parts = await service.newParts();
    const { line } = await lineOf('get-invoice', { ...parts, invoiceId: '404' });
    expect(line).toMatchObject({ level: 'INFO', status: 404, code: 'NOT_FOUND', ClientErrors: 1, ...seenByTheProxy() });
    expect(line).not.toHaveProperty('error');
    expect(metricsOf(line)).toEqual(['RoundTrips', 'ClientErrors']);
  });

  it('has the cause of a failure of the service, with every attempt at a call', async () => {
    const parts = await service.newParts();
    service.proxy.reset();
    service.proxy.fail({ table: 'Invoices', how: 'error' });
    const { requestId } = await send(service.url, portalRequests['get-invoice'](parts));
    const [line] = await service.linesOf(requestId);
    const seen = seenByTheProxy();
    expect(seen.calls).toBe(2 + 3);
    expect(line).toMatchObject({ level: 'ERROR', status: 500, code: 'INTERNAL_ERROR', ...seen });
    expect(line?.['error']).toMatchObject({ name: 'InternalServerError', message: 'secret detail of the engine' });
  });

  it('does not believe a token that is not genuine, nor the tenant header that comes with it', async () => {
    const parts = await service.newParts();
    const { line } = await lineOf('get-invoice', { ...parts, authorization: `${parts.authorization}x` });
    expect(line).toMatchObject({ status: 401, code: 'UNAUTHORIZED', calls: 0, round_trips: 0 });
    for (const field of ['tenant', 'user_id', 'supplier_id']) expect(line).not.toHaveProperty(field);
  });

  it.each(['login', 'legacy-dispatch WSListarFacturas'] as const)('counts refused logins: %s', async (name) => {
    // No round trip is counted here.
    service.proxy.delayMs = 0;
    const parts = { ...(await service.newParts()), password: 'wrong' };
    await moveClock(service.url, FAILURES_COUNT_S);
    const lines: LogLine[] = [];
    for (let time = 0; time < 6; time++) lines.push((await lineOf(name, parts)).line);
    expect(lines.map(({ code }) => code)).toEqual([...Array<string>(5).fill('UNAUTHORIZED'), 'RATE_LIMITED']);
    const { tenant, userId } = parts.account.reference;
    const last4 = name === 'login' ? undefined : parts.account.apiKey.slice(-4);
    const why = [...Array<string>(5).fill('wrong-credentials'), 'blocked-source'];
    for (const [place, line] of lines.entries()) {
      expect(line).toMatchObject({ tenant, user_id: userId, source_ip: '127.0.0.1', login_refused: why[place] });
      expect(line['api_key_last4']).toBe(last4);
      const refused = metricsIn(line).filter((metric) => metric.name === 'LoginsRefused');
      expect(refused).toMatchObject([{ unit: 'Count', value: 1 }]);
    }
    await moveClock(service.url, FAILURES_COUNT_S);
  });

  it.each(['login', 'legacy-dispatch WSListarFacturas'] as const)(
    'names nobody when the account that was tried does not exist, and never what was typed: %s',
    async (name) => {
      const parts = { ...(await service.newParts()), email: 'nobody@supplier.example', password: 'typed-password' };
      await moveClock(service.url, FAILURES_COUNT_S);
      const { line } = await lineOf(name, parts);
      expect(line).toMatchObject({ login_refused: 'wrong-credentials', source_ip: '127.0.0.1' });
      for (const field of ['tenant', 'user_id', 'supplier_id']) expect(line).not.toHaveProperty(field);
      expect(JSON.stringify(line)).not.toMatch(/nobody|typed/);
      await moveClock(service.url, FAILURES_COUNT_S);
    },
  );

  it('says of a malformed WSAutorizacion from where it came', async () => {
    const { line } = await lineOf('legacy-dispatch WSListarFacturas', { ...(await service.newParts()), apiKey: 'x' });
    expect(line).toMatchObject({ code: 'UNAUTHORIZED', login_refused: 'malformed', source_ip: '127.0.0.1' });
  });

  it('says that the rate limiter could not be reached', async () => {
    const parts = await service.newParts();
    service.proxy.reset();
    service.proxy.fail({ table: 'RateCounters', how: 'error' });
    const { requestId } = await send(service.url, portalRequests['get-invoice'](parts));
    const lines = await service.linesOf(requestId);
    expect(lines.map(({ message }) => message)).toEqual(['The rate limiter could not be reached.', 'request']);
    expect(metricsOf(lines[1] ?? {})).toEqual(['RoundTrips', 'RateLimiterUnavailable']);
  });

  it('keeps apart what requests use that run side by side', async () => {
    const parts = await service.newParts();
    const names = ['get-invoice', 'get-invoice', 'get-invoice', 'declare-invoice'] as const;
    for (const name of names) await send(service.url, portalRequests[name](parts));
    const alone = [];
    for (const name of names) alone.push((await lineOf(name, parts)).line);
    const answers = await Promise.all(names.map((name) => send(service.url, portalRequests[name](parts))));
    const together = await Promise.all(answers.map(async ({ requestId }) => (await service.linesOf(requestId))[0]));
    const used = (line?: LogLine) => [line?.['calls'], line?.['round_trips'], line?.['read_units']];
    expect(together.map(used)).toEqual(alone.map(used));
  });

  it('marks the first request of a process, and no other', () => {
    const lines = service
      .output()
      .split('\n')
      .filter((text) => text.includes('"message":"request"'))
      .map((text) => JSON.parse(text) as LogLine);
    for (const endpoint of ['login', 'list-invoices', 'get-invoice', 'legacy-dispatch']) {
      const own = lines.filter((line) => line['endpoint'] === endpoint);
      expect(own.map(({ cold_start: cold }) => cold)).toEqual([true, ...Array<boolean>(own.length - 1).fill(false)]);
    }
  });
});
