import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from '../../infra/local/gateway.ts';
import { listen, LOCAL_HOST } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';
import { DEMO_ACCOUNT, logIn, type SampleRequest, buildSampleRequests } from '../../infra/openapi/sample-requests.ts';
import { runScript } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { createLocalClient } from '../support/service/service-client.ts';
import { proves } from '../rules/proves.ts';

const loginPath = '/apidev/v1/login';
const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'The requested URL was not found.' } };
const latin1 = Buffer.from('{"notes":"Caf\xe9"}', 'latin1');
const service = useLocalService();
let token: string;
let requests: Readonly<Record<string, SampleRequest>>;
beforeAll(async () => {
  token = await logIn(service.url, DEMO_ACCOUNT);
  requests = buildSampleRequests(DEMO_ACCOUNT, token);
});

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { method: 'POST', body, headers });

interface Change {
  readonly path?: (path: string) => string;
  readonly type?: string;
  readonly body?: Buffer | string;
}

/** Sends the sample request of an operation with the demo account, after an optional change. */
async function sendSample(name: string, { path = (same) => same, type, body }: Change = {}) {
  const request = requests[name]!;
  const headers = { ...request.headers, ...(type && { 'Content-Type': type }) };
  const response = await fetch(service.url + path(request.path), { ...request, headers, ...(body && { body }) });
  return { status: response.status, json: (await response.json()) as object };
}

const addInvalidQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}other=%ED%A0%80`;

/** Sends header lines over a socket, because HTTP clients merge repeated headers; returns status and error code. */
async function sendLines(
  method: string,
  path: string,
  lines: readonly string[],
  body = '',
): Promise<[number, unknown]> {
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const allLines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines];
  socket.write(`${[...allLines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  const response = await text(socket);
  const [head = '', json = '{}'] = response
    .replace(/\r\n[\da-f]+\r\n(.*)\r\n0\r\n\r\n$/s, '\r\n\r\n$1')
    .split(/(?:\r\n){2,}/);
  const { error, Resultado } = JSON.parse(json);
  return [Number(head.split(' ')[1]), error?.code ?? Resultado?.Codigo];
}

const otherApiKey = '00000000-0000-4000-8000-000000000000';

describe('local gateway', () => {
  it.each([
    ['an unknown path', 'GET', '/apidev/v1/nothing'],
    ['an unknown method of a known path', 'PUT', loginPath],
    ['another method of a page', 'POST', '/docs'],
  ])('the local gateway responds to %s with 404', async (_, method, path) => {
    proves('codes/NOT_FOUND/path');
    const response = await fetch(service.url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('a body over 10 MiB gets the response 400 with its details', async () => {
    const response = await post(loginPath, 'x'.repeat(10 * 1024 * 1024 + 1));
    expect(response.status).toBe(400);
    const message = 'The request body is too large.';
    const details = [{ property: 'body', constraints: { maxBytes: message } }];
    expect(await response.json()).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message, details } });
  });

  it.each([loginPath, '/apidev/v1/nothing'])('responses to %s have new request ids', async (path) => {
    proves('errors/rule-3');
    const postWithId = () => post(path, '{}', { 'X-Request-Id': 'mine' });
    const ids = (await Promise.all([postWithId(), postWithId()])).map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

// The tests of the functions prove the rule for every operation; these tests prove that the gateway keeps the bytes.
it.each<[what: string, name: string, property: string, change: Change]>([
  ['a body whose bytes are not', 'declare-invoice', 'body', { body: latin1 }],
  ['an escape in the query that is not', 'declare-invoice', 'other', { path: addInvalidQuery }],
  ['an id that is not', 'get-invoice', 'id', { path: (path) => path.replace('9001', '9001%FF') }],
])('%s UTF-8 is rejected: %s, %s', async (_, name, property, change) => {
  const { status, json } = await sendSample(name, change);
  const details = [{ property, constraints: { unicode: `${property} must be well-formed Unicode text` } }];
  expect([status, json]).toMatchObject([400, { success: false, error: { code: 'VALIDATION_ERROR', details } }]);
});

it('well-formed text arrives at the function as it was sent', async () => {
  const notes = '😀 Café \uFFFD';
  const body = JSON.stringify({ invoice_id: '9001', amount: 1, notes });
  const declared = await sendSample('declare-invoice', { type: 'Application/JSON; charset=UTF-8', body });
  expect(declared.status).toBe(200);
  expect(await sendSample('get-invoice')).toMatchObject({ json: { data: { declared_notes: notes } } });
});

const getCredentials = () => ({
  Authorization: `Bearer ${token}`,
  'X-API-Key': DEMO_ACCOUNT.apiKey,
  tenant: DEMO_ACCOUNT.tenant,
});
const readInvoice = (lines: readonly string[]) => sendLines('GET', '/apidev/v1/supplier-portal/invoices/9001', lines);

it('a header that is sent with two different values is rejected, in either order', async () => {
  const lines = Object.entries(getCredentials()).map(([name, value]) => `${name}: ${value}`);
  const other = `x-api-key: ${otherApiKey}`;
  for (const repeated of [
    [other, ...lines],
    [...lines, other],
  ])
    expect(await readInvoice(repeated)).toEqual([401, 'UNAUTHORIZED']);
});

it('headers that are sent twice with equal values are valid', async () => {
  const lines = Object.entries(getCredentials()).map(([name, value]) => `${name}: ${value}`);
  expect(await readInvoice([...lines, ...lines])).toEqual([200, undefined]);
});

const moveClock = (body: string) => post('/_local/clock', body);
const readResetTime = async () => Number((await post(loginPath, '{}')).headers.get('x-ratelimit-reset'));

it('a moved clock applies to the functions and to the Date of every response until it is reset', async () => {
  const before = await readResetTime();
  expect((await moveClock('{"advance_seconds": -1}')).status).toBe(400);
  await moveClock('{"advance_seconds": 3600}');
  expect((await readResetTime()) - before).toBeGreaterThanOrEqual(3_600);
  const { headers } = await post(loginPath, '{}');
  await moveClock('{"reset": true}');
  // The window of a login has 30 seconds.
  const secondsLeft = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
  expect(secondsLeft).toBeGreaterThan(0);
  expect(secondsLeft).toBeLessThan(60);
  expect((await readResetTime()) - before).toBeLessThan(60);
});

it('a path with a malformed escape gets the response 400 of the template', async () => {
  const response = await fetch(`${service.url}/%zz`);
  const message = 'The request is malformed.';
  const details = [{ property: 'request', constraints: { wellFormed: message } }];
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message, details } });
});

it('a page that throws gets the response 500; its error is printed but not sent', async () => {
  const fail = () => {
    throw new Error('This page cannot be created.');
  };
  const localRoutes = { 'GET /broken': fail };
  const gateway = createServer(
    createGateway({ stack: readStack(), invoke: fail, clock: new VirtualClock(), localRoutes }),
  );
  onTestFinished(() => void gateway.close());
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const response = await fetch(`http://${LOCAL_HOST}:${await listen(gateway, 0)}/broken`);
  const body = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
  expect(body).not.toContain('cannot be created');
  expect(stderr.mock.calls.join('')).toContain('This page cannot be created.');
  stderr.mockRestore();
});

// This test is the last one, because its rejected login counts on the following day.
it('ops --local uses the moved clock: a new password revokes the tokens that were issued before', async () => {
  const client = createLocalClient(service);
  await moveClock('{"advance_seconds": 86400}');
  await client.getInvoice('9001');
  const command = ['set-password', DEMO_ACCOUNT.tenant, DEMO_ACCOUNT.email, '--local'];
  const setting = { env: { AWS_ENDPOINT_URL_DYNAMODB: service.endpoint }, input: 'another Passphrase 7\n' };
  // The command has its own process, because it installs its clock in the whole process.
  expect(await runScript('infra/ops/cli.ts', command, setting)).toMatchObject({ code: 0, stderr: '' });
  await expect(client.getInvoice('9001')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await moveClock('{"reset": true}');
});
