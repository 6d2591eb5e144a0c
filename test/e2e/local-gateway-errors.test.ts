import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGateway } from '../../infra/local/gateway.ts';
import { listen, localHost } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';

let gateway: Server;
let port: number;
beforeAll(async () => {
  const functionOf = () => {
    throw new Error('No request of these tests is for a function.');
  };
  const brokenPage = () => {
    throw new Error('This page cannot be made.');
  };
  const pages = { 'GET /broken': brokenPage };
  gateway = createGateway({ stack: readStack(), functionOf, clock: new VirtualClock(), pages });
  port = await listen(gateway, 0);
});
afterAll(() => void gateway.close());

async function open(): Promise<Socket> {
  const socket = connect(port, localHost);
  await once(socket, 'connect');
  return socket;
}

/** The status line, the headers and the body of what is answered until the gateway hangs up. */
async function answerTo(socket: Socket) {
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [statusLine, ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(': ')).map(([name = '', value]) => [name.toLowerCase(), value]);
  return { statusLine, headers: Object.fromEntries(headers) as Record<string, string>, body };
}

/** What is answered to these bytes. */
async function ask(bytes: string) {
  const socket = await open();
  socket.write(bytes);
  return answerTo(socket);
}

function expectMalformed({ statusLine, headers, body }: Awaited<ReturnType<typeof answerTo>>): void {
  expect(statusLine).toBe('HTTP/1.1 400 Bad Request');
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const message = 'The request is malformed.';
  const details = [{ property: 'request', constraints: { wellFormed: message } }];
  expect(JSON.parse(body)).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message, details } });
}

const login = 'POST /apidev/v1/login HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n';

describe('what is no request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['headers of 20 kB', `${login}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['headers of 1 MB', `${login}X: ${'x'.repeat(1_000_000)}\r\n\r\n`],
    ['two lengths', `${login}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a broken chunk', `${login}Transfer-Encoding: chunked\r\n\r\nz\r\n`],
    ['an expectation that cannot be met', `${login}Expect: a miracle\r\n\r\n`],
    ['a path that cannot be decoded', 'GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('is answered in the words of the template: %s', async (_what, request) => {
    expectMalformed(await ask(request));
  });

  it('is refused without a Host in HTTP/1.0, too, which need not have one', async () => {
    expect((await ask('GET /docs HTTP/1.0\r\n\r\n')).statusLine).toBe('HTTP/1.1 403 Forbidden');
  });

  it('is answered so when it takes too long to come', async () => {
    const connected = once(gateway, 'connection') as Promise<[Socket]>;
    const socket = await open();
    const [ofGateway] = await connected;
    socket.write('POST /apidev');
    const timeout = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    gateway.emit('clientError', timeout, ofGateway);
    expectMalformed(await answerTo(socket));
  });

  it('has a new request id each time', async () => {
    const answers = [await ask('hello\r\n\r\n'), await ask('hello\r\n\r\n')];
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(2);
  });

  it('does not matter when the client has gone', async () => {
    const connected = once(gateway, 'connection') as Promise<[Socket]>;
    const socket = await open();
    const [ofGateway] = await connected;
    const closed = new Promise((resolve) => ofGateway.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    expectMalformed(await ask('hello\r\n\r\n'));
  });
});

it('answers 500 for a page that cannot be made, tells the reason on stderr, and goes on', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  for (let time = 0; time < 2; time++) {
    const { statusLine, body } = await ask('GET /broken HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(statusLine).toBe('HTTP/1.1 500 Internal Server Error');
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
    expect(body).not.toContain('cannot be made');
  }
  expect(stderr.mock.calls.join('')).toContain('This page cannot be made.');
  stderr.mockRestore();
});
