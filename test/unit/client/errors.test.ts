import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PortalError } from '../../../lib/client/exchange.ts';
import { credentials, failure, scriptedPortal, type Step, unanswered } from '../../support/client/scripted-portal.ts';

/** What an integrator's switch looks like: with a code too few or too many it does not compile. */
function adviceOn(error: PortalError): string {
  switch (error.code) {
    case 'VALIDATION_ERROR':
    case 'INVALID_DATE_RANGE':
      return 'mend the request';
    case 'UNAUTHORIZED':
    case 'TOKEN_EXPIRED':
      return 'check the credentials';
    case 'FORBIDDEN':
    case 'COMPANY_SUSPENDED':
      return 'ask the company';
    case 'NOT_FOUND':
      return 'check the id';
    case 'RATE_LIMITED':
    case 'INTERNAL_ERROR':
    case 'SERVICE_UNAVAILABLE':
    case 'NETWORK_ERROR':
      return 'try again later';
    case 'INVALID_RESPONSE':
      return 'check the address';
  }
}

async function errorOf(...calls: Step[]): Promise<PortalError> {
  const { client, trace } = scriptedPortal({ calls }, { timeoutMs: 20 });
  const error: unknown = await client.getInvoice('1').catch((thrown: unknown) => thrown);
  if (!(error instanceof PortalError)) throw new Error('The call did not fail as it should.', { cause: error });
  expect(trace, 'it is not repeated').toEqual(['login', 'token-1']);
  return error;
}

describe('an error of the client', () => {
  it('has the code, the message, the status and the request id of the answer', async () => {
    const error = await errorOf(failure('NOT_FOUND'));
    expect(error).toMatchObject({ name: 'PortalError', message: 'The message of NOT_FOUND.', details: [] });
    expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: 'request-1' });
    expect(adviceOn(error)).toBe('check the id');
  });

  it('names every invalid property', async () => {
    const details = [{ property: 'amount', constraints: { minimum: 'amount must be >= 0' } }];
    const body = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request: amount.', details } };
    expect(await errorOf(Response.json(body, { status: 400 }))).toMatchObject({ details, requestId: null });
  });

  it.each([null, 'none', { property: 'amount' }])('has no details when the answer has %j for them', async (details) => {
    const body = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request.', details } };
    expect(await errorOf(Response.json(body, { status: 400 }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [],
    });
  });

  it.each<[string, number, Response]>([
    ['a page of a proxy', 502, new Response('<html>Bad Gateway</html>', { status: 502 })],
    ['a success that is not JSON', 200, new Response('')],
    ['a success without data', 200, Response.json({ success: true, meta: {} })],
    ['data that nobody calls a success', 200, Response.json({ data: {}, meta: {} })],
    [
      'an error that nobody calls one',
      404,
      Response.json({ error: { code: 'NOT_FOUND', message: '' } }, { status: 404 }),
    ],
    ['JSON of something else', 200, Response.json('ok')],
    ['an error with the status 200', 200, failure('NOT_FOUND', { status: 200 })],
    ['a success with an error status', 400, Response.json({ success: true, data: {}, meta: {} }, { status: 400 })],
    ['a code that it does not know', 400, failure('toString' as 'NOT_FOUND', { status: 400 })],
  ])('is INVALID_RESPONSE after %s', async (_, status, response) => {
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_RESPONSE', status });
  });

  it('is INVALID_RESPONSE after a redirect, which is not followed: the key would go along', async () => {
    const redirects: unknown[] = [];
    const redirect: Step = (request) => {
      redirects.push(request.redirect);
      return new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example' } });
    };
    expect(await errorOf(redirect)).toMatchObject({ code: 'INVALID_RESPONSE', status: 302 });
    expect(redirects).toEqual(['manual']);
  });

  it('is NETWORK_ERROR without an answer, and says which failure of the system it was', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = await errorOf(() => Promise.reject(new TypeError('fetch failed', { cause: refused })));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: null, details: [] });
    expect(error.message).toBe('No answer (ECONNREFUSED).');
  });

  it('is NETWORK_ERROR without an answer in time', async () => {
    const error = await errorOf(unanswered);
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, message: 'No answer within 20 ms.' });
  });

  it('is NETWORK_ERROR without an answer to the login in time', async () => {
    const { client } = scriptedPortal({ logins: [unanswered] }, { timeoutMs: 20 });
    const error = { code: 'NETWORK_ERROR', status: null, message: 'No answer within 20 ms.' };
    await expect(client.login()).rejects.toMatchObject(error);
  });

  it('is NETWORK_ERROR, with the request id, when the answer breaks off', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    const error = await errorOf(new Response(body, { headers: { 'X-Request-Id': 'request-2' } }));
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: 'request-2' });
  });

  it.each<[string, Step]>([
    ['the service refuses', failure('UNAUTHORIZED')],
    [
      'fetch quotes the request',
      (request) => Promise.reject(new TypeError(JSON.stringify(request), { cause: new Error(inspect(request)) })),
    ],
    ['the answer is no JSON', () => new Response(inspect(credentials))],
  ])('is given no credentials by the client when %s', async (_, step) => {
    const shown = inspect(await errorOf(step), { depth: null, showHidden: true });
    for (const secret of ['token-1', credentials.apiKey, credentials.password]) expect(shown).not.toContain(secret);
  });
});
