import { beforeAll, describe, expect, it } from 'vitest';
import { logIn, type SampleRequest, sampleRequests, demoAccount } from '../../infra/openapi/sample-requests.ts';
import { useLocalService } from '../support/service/local-service.ts';

const latin1 = Buffer.from('{"notes":"Caf\xe9"}', 'latin1');

const service = useLocalService();
let requests: Readonly<Record<string, SampleRequest>>;
beforeAll(async () => {
  requests = sampleRequests(demoAccount, await logIn(service.url, demoAccount));
});

interface Change {
  readonly path?: (path: string) => string;
  readonly type?: string;
  readonly body?: Buffer | string;
}

/** Sends a request of the demo account to an operation, with something changed. */
async function send(name: string, { path = (same) => same, type, body }: Change = {}) {
  const request = requests[name]!;
  const headers = { ...request.headers, ...(type && { 'Content-Type': type }) };
  const response = await fetch(service.url + path(request.path), { ...request, headers, ...(body && { body }) });
  return { status: response.status, answer: (await response.json()) as object };
}

const withQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}other=%ED%A0%80`;

describe('through the gateway', () => {
  // The tests of the functions prove the rule for every operation; these tests prove that the gateway passes bytes on.
  it.each<[what: string, name: string, property: string, change: Change]>([
    ['a body whose bytes are not', 'declare-invoice', 'body', { body: latin1 }],
    ['a body of another type whose bytes are not', 'WSObtenerFactura', 'body', { type: 'text/plain', body: latin1 }],
    ['an escape in the query that is not', 'declare-invoice', 'other', { path: withQuery }],
    ['an id that is not', 'get-invoice', 'id', { path: (path) => path.replace('9001', '9001%FF') }],
  ])('%s UTF-8 is rejected: %s, %s', async (_, name, property, change) => {
    const { status, answer } = await send(name, change);
    if (name.startsWith('WS')) {
      const Mensaje = `Los datos no son válidos. ${property} debe ser un texto Unicode bien formado.`;
      expect([status, answer]).toEqual([200, { Resultado: { Exito: false, Codigo: 'VALIDATION_ERROR', Mensaje } }]);
    } else {
      const details = [{ property, constraints: { unicode: `${property} must be well-formed Unicode text` } }];
      expect([status, answer]).toMatchObject([400, { success: false, error: { code: 'VALIDATION_ERROR', details } }]);
    }
  });

  it('well-formed text arrives at the function as it was sent', async () => {
    const notes = '😀 Café \uFFFD';
    const body = JSON.stringify({ invoice_id: '9001', amount: 1, notes });
    const declared = await send('declare-invoice', { type: 'Application/JSON; charset=UTF-8', body });
    expect(declared.status).toBe(200);
    expect(await send('get-invoice')).toMatchObject({ answer: { data: { declared_notes: notes } } });
  });
});
