import { describe, expect, it } from 'vitest';
import type { CallOptions, PortalClient, ResponseInfo } from '../../../lib/client/index.ts';
import { RESPONSE_SHAPES } from '../../../lib/client/portal-data.generated.ts';
import { buildExactSuccess, buildFailure, buildList, buildSuccess } from '../../support/client/scripted-portal.ts';
import { createScriptedPortal } from '../../support/client/scripted-portal.ts';

const query = { startdate: '2026-06-01', enddate: '2026-08-31' };
const declaration = { invoice_id: '1', amount: 1 };
type Call = (client: PortalClient, options?: Pick<CallOptions, 'onResponse'>) => Promise<unknown>;
const calls: Readonly<Record<keyof typeof RESPONSE_SHAPES, Call>> = {
  login: (client) => client.login(),
  listInvoices: (client, options) => client.listInvoices(query, options),
  getInvoice: (client, options) => client.getInvoice('1', options),
  getHistory: (client, options) => client.getHistory('1', {}, options),
  validateAmount: (client, options) => client.validateAmount(declaration, options),
  declareInvoice: (client, options) => client.declareInvoice(declaration, options),
  declareBatch: (client, options) => client.declareBatch([declaration], options),
};
type Shape = Readonly<Record<string, string>> | string;
const operations = Object.keys(calls) as (keyof typeof RESPONSE_SHAPES)[];

/** Calls an operation that receives this response. Returns the message of the error. */
async function readMessage(operation: keyof typeof RESPONSE_SHAPES, response: Response): Promise<string> {
  const script = operation === 'login' ? { logins: [response] } : { calls: [response] };
  const { client } = createScriptedPortal(script);
  const error = calls[operation](client).then(() => 'no error');
  await expect(error).rejects.toMatchObject({ code: 'INVALID_RESPONSE', status: 200, requestId: 'request-1' });
  return error.catch(({ message }: Error) => message);
}

describe('successful responses of another shape', () => {
  it.each([{}, [], null, 'text'])('a successful response is INVALID_RESPONSE if data is %j', async (data) => {
    expect(await readMessage('listInvoices', buildExactSuccess(data))).toMatch(/ not one of this service: data/);
  });

  it.each(operations)('a call fails if required data is missing or has another type: %s', async (operation) => {
    const shape: Shape = RESPONSE_SHAPES[operation].data;
    if (typeof shape === 'string') {
      expect(await readMessage(operation, buildExactSuccess({}))).toContain(`data must be ${shape}.`);
      return;
    }
    for (const [name, types] of Object.entries(shape)) {
      for (const wrong of [undefined, types === 'object' ? [] : {}, ...(types.includes('null') ? [] : [null])]) {
        const message = `data.${name} must be ${types.replace(' ', ' or ')}.`;
        expect(await readMessage(operation, buildSuccess({ [name]: wrong }))).toContain(message);
      }
    }
  });

  it.each(['total', 'limit', 'offset'])('a page is INVALID_RESPONSE if meta.%s is not a number', async (name) => {
    const message = await readMessage('listInvoices', buildSuccess({}, { [name]: '25' }));
    expect(message).toContain(`meta.${name} must be number.`);
  });
});

describe('successful responses', () => {
  it.each(operations)('a response can have null where it is allowed, and unknown properties: %s', async (operation) => {
    const shape: Shape = RESPONSE_SHAPES[operation].data;
    const nullable = Object.entries(shape).filter(([, types]) => types.endsWith(' null'));
    const data = { ...Object.fromEntries(nullable.map(([name]) => [name, null])), added: 1 };
    const response = shape === 'array' ? buildList() : buildSuccess(data, { added: 1 });
    const { client } = createScriptedPortal({ calls: [response] });
    await expect(calls[operation](client)).resolves.not.toThrow();
  });

  it.each(operations.filter((operation) => operation !== 'login'))(
    'onResponse receives every response with the number of requests, including those without a response: %s',
    async (operation) => {
      const headers = { 'X-Request-Id': 'request-0' };
      const failures = (['SERVICE_UNAVAILABLE', 'TOKEN_EXPIRED'] as const).map((code) =>
        buildFailure(code, { headers }),
      );
      const lost = () => Promise.reject(new TypeError('fetch failed'));
      const { client } = createScriptedPortal({
        calls: [lost, ...failures, operation === 'getHistory' ? buildList() : buildSuccess()],
      });
      await client.login();
      const responses: ResponseInfo[] = [];
      await calls[operation](client, { onResponse: (response) => responses.push(response) });
      expect(responses).toEqual([
        { status: 503, requestId: 'request-0', attempts: 2 },
        { status: 401, requestId: 'request-0', attempts: 3 },
        { status: 200, requestId: 'request-1', attempts: 4 },
      ]);
    },
  );
});
