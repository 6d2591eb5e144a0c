import { beforeAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../infra/demo-account.ts';
import { logIn } from '../../infra/local/demo.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../../infra/demo-requests.ts';
import { useLocalService } from '../support/service/local-service.ts';

const latin1 = Buffer.from('{"notes":"Caf\xe9"}', 'latin1');
const legacy = legacyRequests(demoAccount);

const service = useLocalService();
let requests: Readonly<Record<string, SampleRequest>>;
beforeAll(async () => {
  requests = { ...currentRequests(demoAccount, await logIn(service.url, demoAccount)), ...legacy };
});

// The functions judge the bytes of any; the gateway hands on those of two as it does those of all.
const names = ['declare-invoice', 'WSObtenerFactura'];

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
  it.each(names)('a body whose bytes are not UTF-8 is refused: %s', async (name) => {
    expectRefusal(name, await send(name, { body: latin1 }), 'body');
  });

  it.each(names)('an escape in the query that is not UTF-8 is refused: %s', async (name) => {
    expectRefusal(name, await send(name, { query: 'other=%ED%A0%80' }), 'other');
  });

  it('an id that is not UTF-8 is refused', async () => {
    const { path, ...request } = requests['get-invoice']!;
    const response = await fetch(service.url + path.replace('9001', '9001%FF'), request);
    expectRefusal('get-invoice', { status: response.status, answer: (await response.json()) as object }, 'id');
  });

  it('an operation that is not UTF-8 is an unknown one', async () => {
    const { path, ...request } = requests['WSObtenerFactura']!;
    const response = await fetch(service.url + path.replace('WSObtenerFactura', '%ED%A0%80'), request);
    expect([response.status, await response.json()]).toMatchObject([404, { Resultado: { Codigo: 'NOT_FOUND' } }]);
  });

  it('whole text arrives as it was sent', async () => {
    const { path, headers } = requests['declare-invoice']!;
    const notes = '😀 Café \uFFFD';
    const body = JSON.stringify({ invoice_id: '9012', amount: 1, notes });
    const typed = { ...headers, 'Content-Type': 'Application/JSON; charset=UTF-8' };
    expect((await fetch(service.url + path, { method: 'POST', headers: typed, body })).status).toBe(200);
    const detail = await fetch(`${service.url}${path.replace('declare', '9012')}`, { headers });
    expect(await detail.json()).toMatchObject({ data: { declared_notes: notes } });
  });

  it('a legacy body is refused for its bytes, whatever its type', async () => {
    const { path, headers } = requests['WSObtenerFactura']!;
    const typed = { ...headers, 'Content-Type': 'text/plain' };
    const response = await fetch(service.url + path, { method: 'POST', headers: typed, body: latin1 });
    const refused = { status: response.status, answer: (await response.json()) as object };
    expectRefusal('WSObtenerFactura', refused, 'body');
  });

  it('a legacy operation is named in any case, behind a path in small letters', async () => {
    const { path, ...request } = requests['WSObtenerFactura']!;
    const answer = await fetch(service.url + path.replace('WSObtenerFactura', 'wsobtenerfactura'), request);
    expect(await answer.json()).toMatchObject({ Resultado: { Exito: true } });
    expect((await fetch(service.url + path.replace('/legacy/', '/Legacy/'), request)).status).toBe(404);
  });
});
