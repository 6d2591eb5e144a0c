import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleRequests, logIn, demoAccount } from '../../infra/openapi/sample-requests.ts';
import { useLocalService } from '../support/service/local-service.ts';

const service = useLocalService();
let token: string;
beforeAll(async () => {
  token = await logIn(service.url, demoAccount);
});

/** Sends header lines over a socket, because HTTP clients merge repeated headers; returns status and error code. */
async function send(method: string, path: string, lines: readonly string[], body = ''): Promise<[number, unknown]> {
  const { hostname, port, host } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines];
  socket.write(`${[...all, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  const answer = await text(socket);
  const [head = '', json = '{}'] = answer
    .replace(/\r\n[\da-f]+\r\n(.*)\r\n0\r\n\r\n$/s, '\r\n\r\n$1')
    .split(/(?:\r\n){2,}/);
  const { error, Resultado } = JSON.parse(json);
  return [Number(head.split(' ')[1]), error?.code ?? Resultado?.Codigo];
}

const other = '00000000-0000-4000-8000-000000000000';

describe('repeated headers', () => {
  const credentials = () => ({
    Authorization: `Bearer ${token}`,
    'X-API-Key': demoAccount.apiKey,
    tenant: demoAccount.tenant,
  });
  const linesWith = (name: string, second: string, isFirst: boolean) => {
    const lines = Object.entries(credentials()).map(([key, value]) => `${key}: ${value}`);
    return isFirst ? [`${name}: ${second}`, ...lines] : [...lines, `${name}: ${second}`];
  };
  const read = (lines: readonly string[]) => send('GET', '/apidev/v1/supplier-portal/invoices/9001', lines);

  it.each([
    ['Authorization', 'Bearer a.b.c'],
    ['x-api-key', other],
    ['TENANT', 'other.example'],
  ])('a header that is sent with two different values is rejected, in either order: %s, %s', async (name, value) => {
    for (const isFirst of [true, false]) {
      expect(await read(linesWith(name, value, isFirst))).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  it('headers that are sent twice with equal values are valid', async () => {
    const lines = Object.entries(credentials()).map(([name, value]) => `${name}: ${value}`);
    expect(await read([...lines, ...lines])).toEqual([200, undefined]);
  });

  it('a second, different tenant is rejected by the legacy route, where no tenant has to be sent', async () => {
    const { path, body } = sampleRequests(demoAccount, token).WSObtenerFactura;
    const call = async (...tenants: string[]) => {
      const lines = ['Content-Type: application/json', ...tenants.map((name) => `tenant: ${name}`)];
      return (await send('POST', path, lines, body)).at(1);
    };
    expect(await call(demoAccount.tenant, demoAccount.tenant)).toBe('OK');
    expect(await call(demoAccount.tenant, 'other.example')).toBe('UNAUTHORIZED');
    expect(await call('other.example', demoAccount.tenant)).toBe('UNAUTHORIZED');
  });
});
