import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { getStackName, METRICS_NAMESPACE } from '../../infra/config.ts';
import type { SampleRequest } from '../../infra/openapi/sample-requests.ts';
import { hashApiKey } from '../../lib/access/access-rules.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';
import { createSigningKeyReader } from '../../lib/tables/signing-key-tables.ts';
import { sumUnitsByTable } from '../support/engine/engine-calls.ts';
import { changeRecord, readRecord } from '../support/data/seed.ts';
import { type LoggedService, type LogLine, startLoggedService } from '../support/service/logged-service.ts';
import {
  portalRequests,
  type RequestName,
  requestNames,
  type RequestParts,
  sendRequest,
} from '../support/service/portal-requests.ts';
import { moveClock } from '../support/service/service-client.ts';
import { useStarted } from '../support/setup/use-started.ts';

// Long enough that parallel calls overlap even on a busy machine.
const DELAY_MS = 120;
// After this time, failed logins no longer count, and a lockout has ended.
const FAILURES_EXPIRE_S = 91;

const service = useStarted(startLoggedService);
beforeEach(() => service.proxy.reset());

/** Sends a request, and returns its response and its only log line. */
async function sendAndReadLine(name: RequestName, parts: RequestParts, delayMs = DELAY_MS) {
  service.proxy.reset();
  service.proxy.delayMs = delayMs;
  const { status, requestId } = await sendRequest(service.url, portalRequests[name](parts));
  service.proxy.delayMs = 0;
  const lines = await service.waitForLogLines(requestId);
  expect(lines.map(({ message }) => message)).toEqual(['request']);
  return { status, requestId, line: lines[0] as LogLine };
}

/** Returns the calls, round trips and units of a request, as the proxy counted them. */
function countUsage() {
  const { calls } = service.proxy;
  const tables = Object.values(sumUnitsByTable(calls));
  return {
    calls: calls.length,
    round_trips: service.proxy.countSerialRoundTrips(),
    read_units: tables.reduce((sum, { read }) => sum + read, 0),
    write_units: tables.reduce((sum, { write }) => sum + write, 0),
  };
}

interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
}

/** Checks that a log line is valid in the embedded metric format of CloudWatch, and returns its metrics. */
function readMetrics(line: LogLine) {
  expect(line['_aws']).toEqual({ Timestamp: expect.any(Number), CloudWatchMetrics: expect.any(Array) });
  const { Timestamp, CloudWatchMetrics } = line['_aws'] as { Timestamp: number; CloudWatchMetrics: Directive[] };
  expect(Timestamp).toSatisfy(Number.isInteger);
  return CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics, ...others }) => {
    expect([Namespace, others]).toEqual([METRICS_NAMESPACE, {}]);
    return Dimensions.flatMap((set) => {
      const dimensions = Object.fromEntries(set.map((key) => [key, line[key] as string]));
      return Metrics.map((metric) => {
        expect(metric).toEqual({ Name: expect.any(String), Unit: expect.stringMatching(/^(Count|Milliseconds)$/) });
        expect(line[metric.Name], `metric ${metric.Name}`).toEqual(expect.any(Number));
        return { name: metric.Name, unit: metric.Unit, value: line[metric.Name] as number, dimensions };
      });
    });
  });
}

/** Lists the names of the metrics in a log line. The service must be their only dimension. */
const listMetrics = (line: LogLine) =>
  readMetrics(line).map(({ name, dimensions }) => {
    expect(dimensions).toEqual({ service: getStackName('dev') });
    return name;
  });

describe('the log line of a request', () => {
  it.each(requestNames)('the log line of a request has its caller, outcome and usage: %s', async (name) => {
    const parts = await service.newParts();
    const { tenant, userId, supplierId } = parts.account.reference;
    const endpoint = name.split(' ')[0];

    await sendRequest(service.url, portalRequests[name](parts));
    const { status, requestId, line } = await sendAndReadLine(name, parts);

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
      ...countUsage(),
      cold_start: false,
      _aws: expect.any(Object),
      RoundTrips: line['round_trips'],
    });
    expect(listMetrics(line)).toEqual(['RoundTrips']);
  });

  it('the log line of a request whose user expires within 14 days has a metric', async () => {
    const parts = await service.newParts();
    const expires_at = new Date(Date.now() + 13 * DAY_MS).toISOString();
    await changeRecord(service.engine, parts.account.keys.user, { expires_at });
    const { line } = await sendAndReadLine('get-invoice', parts);
    expect(listMetrics(line)).toEqual(['RoundTrips', 'ExpiringCredentials']);
  });

  it('the log line of an internal error contains its cause, and counts every attempt of a call', async () => {
    const parts = await service.newParts();
    service.proxy.injectFault({ table: 'Invoices', how: 'error' });
    const { requestId } = await sendRequest(service.url, portalRequests['get-invoice'](parts));
    const [line] = await service.waitForLogLines(requestId);
    expect(countUsage().calls).toBe(2 + 3);
    expect(line).toMatchObject({ level: 'ERROR', status: 500, code: 'INTERNAL_ERROR', calls: 2 + 3 });
    expect(line?.['error']).toMatchObject({ name: 'InternalServerError', message: 'secret detail of the engine' });
  });

  it('the log line of a request with a forged token contains no tenant, user or supplier', async () => {
    const parts = await service.newParts();
    const { line } = await sendAndReadLine('get-invoice', { ...parts, authorization: `${parts.authorization}x` });
    expect(line).toMatchObject({ level: 'INFO', status: 401, code: 'UNAUTHORIZED', calls: 0, round_trips: 0 });
    expect(listMetrics(line)).toEqual(['RoundTrips', 'ClientErrors']);
    for (const field of ['tenant', 'user_id', 'supplier_id', 'error']) expect(line).not.toHaveProperty(field);
  });

  it.each(['login', 'legacy-dispatch WSListarFacturas'] as const)(
    'the log line of a rejected login contains the account, if it exists, and a metric, but no submitted text: %s',
    async (name) => {
      const parts = { ...(await service.newParts()), password: 'typed-password' };
      const unknownUser = { ...parts, email: 'nobody@supplier.example' };
      await moveClock(service.url, FAILURES_EXPIRE_S);
      const lines: LogLine[] = [];
      // Without a delay, because this test counts no round trips.
      for (const attempt of [unknownUser, parts, parts, parts, parts, parts])
        lines.push((await sendAndReadLine(name, attempt, 0)).line);
      await moveClock(service.url, FAILURES_EXPIRE_S);
      const { tenant, userId } = parts.account.reference;
      for (const [index, line] of lines.entries()) {
        const [code, reason] = index < 5 ? ['UNAUTHORIZED', 'wrong-credentials'] : ['RATE_LIMITED', 'blocked-source'];
        expect(line).toMatchObject({ code, login_rejected: reason, source_ip: '127.0.0.1' });
        const user = index === 0 ? [undefined, undefined] : [tenant, userId];
        expect([line['tenant'], line['user_id'], line['supplier_id']]).toEqual([...user, undefined]);
        expect(JSON.stringify(line)).not.toMatch(/nobody|typed/);
        expect(listMetrics(line)).toContain('LoginsRejected');
      }
    },
  );
});

const tables = ['Directory', 'Invoices', 'Declarations', 'RateCounters', 'SigningKeys'] as const;

type Caller = Awaited<ReturnType<LoggedService['newParts']>>;
type Secrets = Awaited<ReturnType<typeof collectSecrets>>;

/** Returns the secrets of an account and of the service, and some credentials that are not valid. */
async function collectSecrets({ account, authorization }: Caller) {
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

/** Deletes all rate counters, so that no request is rejected before it is processed. */
async function resetLimits(): Promise<void> {
  const { client, tables: names } = service.engine;
  const { Items = [] } = await client.send(new ScanCommand({ TableName: names.RateCounters, Limit: 1_000 }));
  if (Items.length === 0) return;
  const requests = Items.map(({ pk }) => ({ DeleteRequest: { Key: { pk } } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [names.RateCounters]: requests } }));
}

describe('the secrets in a request', () => {
  /** Sends requests in parallel, and expects one log line for each and no secret in the output. Returns the statuses. */
  async function expectNoSecret(requests: readonly SampleRequest[], secrets: Secrets): Promise<number[]> {
    await resetLimits();
    const before = service.output().length;
    const responses = await Promise.all(requests.map((request) => sendRequest(service.url, request)));
    for (const { status, requestId } of responses) {
      expect(status, 'the request was processed').not.toBe(429);
      expect((await service.waitForLogLines(requestId)).filter(({ message }) => message === 'request')).toHaveLength(1);
    }
    const written = service.output().slice(before).toLowerCase();
    for (const [kind, secret] of Object.entries(secrets)) {
      expect(written.includes(secret.toLowerCase()), `the ${kind} in: ${written}`).toBe(false);
    }
    return responses.map(({ status }) => status);
  }

  it.each(requestNames)('the log lines contain no secret that is sent in any part of a request: %s', async (name) => {
    const parts = await service.newParts();
    const secrets = await collectSecrets(parts);
    const request = portalRequests[name];
    expect(await expectNoSecret([request({ ...parts, notes: secrets.tokenInNotes })], secrets)).toEqual([200]);

    const plain = JSON.stringify(request(parts));
    // All secrets at once, and secrets in the form of a token and of an API key, which pass more checks.
    const sent = [Object.values(secrets).join(' '), secrets.wrongToken, secrets.wrongApiKey];
    const { account: _, ...textual } = parts;
    for (const part of Object.keys(textual)) {
      const requests = sent
        .map((secret) => request({ ...parts, [part]: secret }))
        .filter((changed) => JSON.stringify(changed) !== plain);
      await expectNoSecret(requests, secrets);
    }
  });

  const faults = [
    ...tables.map((table) => ({ how: 'error', table }) as const),
    { how: 'close-connection', table: 'Directory' } as const,
    { how: 'conflict', table: 'Invoices', times: 2 * requestNames.length } as const,
  ];
  it.each(faults)(
    'the log lines contain no secret if the engine fails during every request: $how $table',
    async (fault) => {
      const parts = await service.newParts();
      const secrets = await collectSecrets(parts);
      const requests = requestNames.map((name) => portalRequests[name]({ ...parts, notes: secrets.tokenInNotes }));
      const endFault = service.proxy.injectFault(fault);
      const statuses = await expectNoSecret(requests, secrets);
      endFault();
      expect(Math.max(...statuses)).toBeGreaterThanOrEqual(fault.how === 'conflict' ? 200 : 500);
    },
  );

  it('the log lines contain no secret when the signing key is created', () => {
    expect(service.output()).toContain('"message":"signing key"');
    expect(service.output()).not.toMatch(/private|"d":/i);
  });
});
