import type { ErrorCode } from '../../../lib/domain/errors.ts';
import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { PortalError } from '../../../lib/client/exchange.ts';
import {
  credentials,
  buildFailure,
  createScriptedPortal,
  type SentRequest,
  type ScriptedResponse,
} from '../../support/client/scripted-portal.ts';

/** Never responds; rejects when the request is aborted. */
function unanswered({ signal }: SentRequest): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

async function errorOf(...calls: ScriptedResponse[]): Promise<PortalError> {
  const { client, trace } = createScriptedPortal({ calls }, { timeoutMs: 20 });
  const error: unknown = await client.getInvoice('1').catch((thrown: unknown) => thrown);
  if (!(error instanceof PortalError)) throw new Error('The call did not fail as it should.', { cause: error });
  expect(trace, 'it is not retried').toEqual(['login', 'token-1']);
  return error;
}

describe('an error of the client', () => {
  it('has the code, the message, the status and the request id of the response', async () => {
    // A code that this version of the client does not know.
    const error = await errorOf(buildFailure('PAYLOAD_TOO_LARGE', { status: 413 }));
    const message = 'The message of PAYLOAD_TOO_LARGE.';
    expect(error).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message,
      status: 413,
      requestId: 'request-1',
      details: [],
    });
    // An editor proposes the known codes.
    type Known = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE';
    expectTypeOf(error.code).toEqualTypeOf<Known | (string & Record<never, never>)>();
  });

  const fault = { property: 'amount', constraints: { minimum: 'amount must be >= 0' } };

  it.each([
    ['a list', [fault], [fault]],
    ['no list, as an empty list', null, []],
  ])('has the details of the response: %s', async (_, details, named) => {
    const body = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request.', details } };
    const error = await errorOf(Response.json(body, { status: 400 }));
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: named, requestId: null });
  });

  const unnamed = { code: 'NOT_FOUND', message: '' };
  it.each<[string, number, Response]>([
    ['a page of a proxy', 502, new Response('<html>Bad Gateway</html>', { status: 502 })],
    ['a success that is not JSON', 200, new Response('')],
    ['data without success', 200, Response.json({ data: {}, meta: {} })],
    ['an error without success', 404, Response.json({ error: unnamed }, { status: 404 })],
    ['an error with the status 200', 200, buildFailure('NOT_FOUND', { status: 200 })],
    ['a success with an error status', 400, Response.json({ success: true, data: {}, meta: {} }, { status: 400 })],
    ['an error without a code', 400, Response.json({ success: false, error: { message: '' } }, { status: 400 })],
  ])('is INVALID_RESPONSE after %s', async (_, status, response) => {
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_RESPONSE', status });
  });

  it('is INVALID_RESPONSE after a redirect, which the client does not follow, because it would send the key', async () => {
    const redirect: ScriptedResponse = ({ redirect: mode }) => {
      expect(mode).toBe('manual');
      return new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example' } });
    };
    expect(await errorOf(redirect)).toMatchObject({ code: 'INVALID_RESPONSE', status: 302 });
  });

  it('is NETWORK_ERROR with the system code if there is no response', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = await errorOf(() => Promise.reject(new TypeError('fetch failed', { cause: refused })));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: null, details: [] });
    expect(error.message).toBe('No response (ECONNREFUSED).');
  });

  it('is NETWORK_ERROR after the timeout, also of a login', async () => {
    const late = { code: 'NETWORK_ERROR', status: null, message: 'No response within 20 ms.' };
    expect(await errorOf(unanswered)).toMatchObject(late);
    const { client } = createScriptedPortal({ logins: [unanswered] }, { timeoutMs: 20 });
    await expect(client.login()).rejects.toMatchObject(late);
  });

  it('is NETWORK_ERROR with the request id if the response is incomplete', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    const error = await errorOf(new Response(body, { headers: { 'X-Request-Id': 'request-2' } }));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: 'request-2' });
  });

  const quoting: ScriptedResponse = (request) =>
    Promise.reject(new TypeError(JSON.stringify(request), { cause: new Error(inspect(request)) }));
  it('contains no credentials, also if the error of fetch or the response contains them', async () => {
    for (const step of [buildFailure('UNAUTHORIZED'), quoting, () => new Response(inspect(credentials))]) {
      const shown = inspect(await errorOf(step), { depth: null, showHidden: true });
      for (const secret of ['token-1', credentials.apiKey, credentials.password]) expect(shown).not.toContain(secret);
    }
  });
});
