import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { logIn } from '../../infra/local/demo.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../../infra/demo-requests.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { startLocalService } from '../support/service/local-service.ts';

const latin1 = Buffer.from('{"notes":"Caf\xe9"}', 'latin1');
const legacy = legacyRequests(demoAccount);

let service: LocalService;
let requests: Readonly<Record<string, SampleRequest>>;
beforeAll(async () => {
  service = await startLocalService({ demo: true });
  requests = { ...currentRequests(demoAccount, await logIn(service.url, demoAccount)), ...legacy };
});
afterAll(() => service.close());

const names = [...Object.keys(currentRequests(demoAccount, '')), ...Object.keys(legacy)];
const withBody = [...Object.entries(currentRequests(demoAccount, '')), ...Object.entries(legacy)]
  .filter(([, { method }]) => method === 'POST')
  .map(([name]) => name);

/** Sends a request of the demo account to an operation, with another body or more in its query. */
async function send(name: string, { body, query = '' }: { body?: Buffer; query?: string }) {
  const { path, ...request } = requests[name]!;
  const target = `${service.url}${path}${path.includes('?') ? '&' : '?'}${query}`;
  const response = await fetch(target, { ...request, ...(body && { body }) });
  return { status: response.status, answer: (await response.json()) as object };
}

function expectRefusal(name: string, { status, answer }: Awaited<ReturnType<typeof send>>, property: string): void {
  if (name in legacy) {
    const Mensaje = `Los datos no son válidos. ${property} no es texto Unicode válido.`;
    expect([status, answer]).toEqual([200, { Resultado: { Exito: false, Codigo: 'VALIDATION_ERROR', Mensaje } }]);
  } else {
    const details = [{ property, constraints: { unicode: `${property} must be well-formed Unicode text` } }];
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR', details } });
  }
}

describe('through the gateway', () => {
  it.each(withBody)('a body whose bytes are not UTF-8 is refused: %s', async (name) => {
    expectRefusal(name, await send(name, { body: latin1 }), 'body');
  });

  it.each(names)('an escape in the query that is not UTF-8 is refused: %s', async (name) => {
    expectRefusal(name, await send(name, { query: 'other=%ED%A0%80' }), 'other');
  });

  it.each(['%ED%A0%80', '9001%FF', '%C3'])('an id that is not UTF-8 is refused: %s', async (id) => {
    const { path, ...request } = requests['get-invoice']!;
    const response = await fetch(service.url + path.replace('9001', id), request);
    expectRefusal('get-invoice', { status: response.status, answer: (await response.json()) as object }, 'id');
  });

  it('an operation that is not UTF-8 is an unknown one', async () => {
    const { path, ...request } = requests['WSObtenerFactura']!;
    const response = await fetch(service.url + path.replace('WSObtenerFactura', '%ED%A0%80'), request);
    expect([response.status, await response.json()]).toMatchObject([404, { Resultado: { Codigo: 'NOT_FOUND' } }]);
  });

  it.each(['application/json', 'Application/JSON; charset=UTF-8'])(
    'whole text arrives as it was sent: %s',
    async (type) => {
      const { path, headers } = requests['declare-invoice']!;
      const notes = '😀 Café \uFFFD';
      const body = JSON.stringify({ invoice_id: '9012', amount: 1, notes });
      const request = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body };
      expect((await fetch(service.url + path, request)).status).toBe(200);
      const detail = await fetch(`${service.url}${path.replace('declare', '9012')}`, { headers: headers });
      expect(await detail.json()).toMatchObject({ data: { declared_notes: notes } });
    },
  );

  it.each(['application/json', 'text/plain', 'application/xml'])(
    'a legacy body is refused for its bytes, whatever its type: %s',
    async (type) => {
      const { path, headers } = requests['WSObtenerFactura']!;
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': type },
        body: latin1,
      });
      const Mensaje = 'Los datos no son válidos. body no es texto Unicode válido.';
      expect(await response.json()).toEqual({ Resultado: { Exito: false, Codigo: 'VALIDATION_ERROR', Mensaje } });
    },
  );

  it('a legacy operation is named in any case, behind a path in small letters', async () => {
    const { path, ...request } = requests['WSObtenerFactura']!;
    const answer = await fetch(service.url + path.replace('WSObtenerFactura', 'wsobtenerfactura'), request);
    expect(await answer.json()).toMatchObject({ Resultado: { Exito: true } });
    expect((await fetch(service.url + path.replace('/legacy/', '/Legacy/'), request)).status).toBe(404);
  });

  it('a body that is no JSON by its type is refused for that', async () => {
    const { path, headers } = requests['declare-invoice']!;
    const request = { method: 'POST', headers: { ...headers, 'Content-Type': 'text/plain' }, body: latin1 };
    const response = await fetch(service.url + path, request);
    expect(await response.json()).toMatchObject({ error: { details: [{ property: 'Content-Type' }] } });
  });
});
