import { beforeEach, describe, expect, it } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { totalUnits } from '../support/engine/engine-calls.ts';
import { type LogLine, metricsIn } from '../support/answers/embedded-metrics.ts';
import { startLoggedService } from '../support/service/logged-service.ts';
import {
  portalRequests,
  type RequestName,
  requestNames,
  type RequestParts,
  send,
} from '../support/service/portal-requests.ts';
import { moveClock } from '../support/service/service-client.ts';
import { useStarted } from '../support/setup/use-started.ts';

// Long enough that calls sent side by side overlap even on a busy machine.
const DELAY_MS = 40;
// After it, failed logins and a block by them are over.
const FAILURES_COUNT_S = 91;

const service = useStarted(startLoggedService);
beforeEach(() => service.proxy.reset());

/** Sends a request; gives its answer and its one log line. */
async function lineOf(name: RequestName, parts: RequestParts, delayMs = DELAY_MS) {
  service.proxy.reset();
  service.proxy.delayMs = delayMs;
  const { status, requestId } = await send(service.url, portalRequests[name](parts));
  service.proxy.delayMs = 0;
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

  it('has the cause of a failure of the service, with every attempt at a call', async () => {
    const parts = await service.newParts();
    service.proxy.fail({ table: 'Invoices', how: 'error' });
    const { requestId } = await send(service.url, portalRequests['get-invoice'](parts));
    const [line] = await service.linesOf(requestId);
    expect(seenByTheProxy().calls).toBe(2 + 3);
    expect(line).toMatchObject({ level: 'ERROR', status: 500, code: 'INTERNAL_ERROR', calls: 2 + 3 });
    expect(line?.['error']).toMatchObject({ name: 'InternalServerError', message: 'secret detail of the engine' });
  });

  it('does not believe a token that is not genuine, nor the tenant header that comes with it', async () => {
    const parts = await service.newParts();
    const { line } = await lineOf('get-invoice', { ...parts, authorization: `${parts.authorization}x` });
    expect(line).toMatchObject({ level: 'INFO', status: 401, code: 'UNAUTHORIZED', calls: 0, round_trips: 0 });
    expect(metricsOf(line)).toEqual(['RoundTrips', 'ClientErrors']);
    for (const field of ['tenant', 'user_id', 'supplier_id', 'error']) expect(line).not.toHaveProperty(field);
  });

  it.each(['login', 'legacy-dispatch WSListarFacturas'] as const)(
    'names the account of a refused login, if there is one, and never what was typed; it counts them: %s',
    async (name) => {
      const parts = { ...(await service.newParts()), password: 'typed-password' };
      const nobody = { ...parts, email: 'nobody@supplier.example' };
      await moveClock(service.url, FAILURES_COUNT_S);
      const lines: LogLine[] = [];
      // No round trip is counted here.
      for (const tried of [nobody, parts, parts, parts, parts, parts]) lines.push((await lineOf(name, tried, 0)).line);
      await moveClock(service.url, FAILURES_COUNT_S);
      const { tenant, userId } = parts.account.reference;
      const last4 = name === 'login' ? undefined : parts.account.apiKey.slice(-4);
      for (const [place, line] of lines.entries()) {
        const [code, why] = place < 5 ? ['UNAUTHORIZED', 'wrong-credentials'] : ['RATE_LIMITED', 'blocked-source'];
        expect(line).toMatchObject({ code, login_refused: why, source_ip: '127.0.0.1' });
        const who = place === 0 ? [undefined, undefined] : [tenant, userId];
        expect([line['tenant'], line['user_id'], line['supplier_id']]).toEqual([...who, undefined]);
        expect(line['api_key_last4']).toBe(last4);
        expect(JSON.stringify(line)).not.toMatch(/nobody|typed/);
        const refused = metricsIn(line).filter((metric) => metric.name === 'LoginsRefused');
        expect(refused).toMatchObject([{ unit: 'Count', value: 1 }]);
      }
    },
  );

  it('says of a malformed WSAutorizacion from where it came', async () => {
    const { line } = await lineOf('legacy-dispatch WSListarFacturas', { ...(await service.newParts()), apiKey: 'x' });
    expect(line).toMatchObject({ code: 'UNAUTHORIZED', login_refused: 'malformed', source_ip: '127.0.0.1' });
  });
});
