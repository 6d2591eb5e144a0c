import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { getStackName } from '../../infra/config.ts';
import type { SampleRequest } from '../../infra/openapi/sample-requests.ts';
import { hashApiKey } from '../../lib/access/access-rules.ts';
import { createSigningKeyReader } from '../../lib/tables/signing-key-tables.ts';
import { totalUnits } from '../support/engine/engine-calls.ts';
import { type LogLine, metricsIn } from '../support/answers/embedded-metrics.ts';
import { readRecord } from '../support/data/seed.ts';
import { type LoggedService, startLoggedService } from '../support/service/logged-service.ts';
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
    expect(dimensions).toEqual({ service: getStackName('dev') });
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
      service: getStackName('dev'),
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

const tables = ['Directory', 'Invoices', 'Declarations', 'RateCounters', 'SigningKeys'] as const;

type Caller = Awaited<ReturnType<LoggedService['newParts']>>;
type Secrets = Awaited<ReturnType<typeof secretsOf>>;

/** Every secret there is: those of an account, of the service, and some that open nothing. */
async function secretsOf({ account, authorization }: Caller) {
  const token = authorization.replace('Bearer ', '');
  const [, payload = '', signature = ''] = token.split('.');
  const signingKey = await createSigningKeyReader(service.engine.client, service.engine.tables.SigningKeys)();
  const { password_hash: passwordHash } = await readRecord(service.engine, account.keys.account);
  return {
    token,
    authorization,
    payload,
    signature,
    apiKey: account.apiKey,
    apiKeyHash: hashApiKey(account.apiKey),
    password: account.password,
    passwordHash: String(passwordHash),
    privateKey: String(signingKey?.privateJwk.d),
    wrongToken: `${token.slice(0, -4)}AAAA`,
    wrongApiKey: randomUUID(),
    wrongPassword: 'hunter2-not-the-password',
    tokenInNotes: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub3RlcyJ9.c2lnbmF0dXJl',
  };
}

/** Lets every limit begin anew, so that no request is refused before it is looked at. */
async function forgetLimits(): Promise<void> {
  const { client, tables: names } = service.engine;
  const { Items = [] } = await client.send(new ScanCommand({ TableName: names.RateCounters, Limit: 1_000 }));
  if (Items.length === 0) return;
  const requests = Items.map(({ pk }) => ({ DeleteRequest: { Key: { pk } } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [names.RateCounters]: requests } }));
}

describe('the secrets in a request', () => {
  /** Sends requests side by side; expects that each has one line of its own, and that no line has a secret in it. */
  async function expectNoSecret(requests: readonly SampleRequest[], secrets: Secrets): Promise<number[]> {
    await forgetLimits();
    const before = service.output().length;
    const answers = await Promise.all(requests.map((request) => send(service.url, request)));
    for (const { status, requestId } of answers) {
      expect(status, 'it was looked at').not.toBe(429);
      expect((await service.linesOf(requestId)).filter(({ message }) => message === 'request')).toHaveLength(1);
    }
    const written = service.output().slice(before).toLowerCase();
    for (const [kind, secret] of Object.entries(secrets)) {
      expect(written.includes(secret.toLowerCase()), `the ${kind} in: ${written}`).toBe(false);
    }
    return answers.map(({ status }) => status);
  }

  it.each(requestNames)('the log lines contain no secret that is sent in any part of a request: %s', async (name) => {
    const parts = await service.newParts();
    const secrets = await secretsOf(parts);
    const request = portalRequests[name];
    expect(await expectNoSecret([request({ ...parts, notes: secrets.tokenInNotes })], secrets)).toEqual([200]);

    const plain = JSON.stringify(request(parts));
    // All of them at once, and those that are of the right form for a part: these get further.
    const sent = [Object.values(secrets).join(' '), secrets.token, secrets.wrongApiKey, secrets.wrongPassword];
    const { account: _, ...textual } = parts;
    for (const part of Object.keys(textual)) {
      const requests = sent
        .map((secret) => request({ ...parts, [part]: secret }))
        .filter((changed) => JSON.stringify(changed) !== plain);
      await expectNoSecret(requests, secrets);
    }
  });

  const faults = [
    ...tables.flatMap((table) => (['error', 'refuse'] as const).map((how) => ({ how, table }))),
    { how: 'conflict', table: 'Invoices', times: 2 * requestNames.length } as const,
  ];
  it.each(faults)(
    'the log lines contain no secret if the engine fails during every request: $how $table',
    async (fault) => {
      const parts = await service.newParts();
      const secrets = await secretsOf(parts);
      const requests = requestNames.map((name) => portalRequests[name]({ ...parts, notes: secrets.tokenInNotes }));
      const takeBack = service.proxy.fail(fault);
      const statuses = await expectNoSecret(requests, secrets);
      takeBack();
      expect(Math.max(...statuses)).toBeGreaterThanOrEqual(fault.how === 'conflict' ? 200 : 500);
    },
  );

  it('the log lines contain no secret when the signing key is created', () => {
    expect(service.output()).toContain('"message":"signing key"');
    expect(service.output()).not.toMatch(/private|"d":/i);
  });
});
