import type { ErrorCode } from '../../../lib/domain/errors.ts';
import { inspect } from 'node:util';
import { expect, expectTypeOf, it } from 'vitest';
import { PortalError } from '../../../lib/client/portal-error.ts';
import { buildFailure, createScriptedPortal, credentials } from '../../support/client/scripted-portal.ts';
import type { ScriptedResponse, SentRequest } from '../../support/client/scripted-portal.ts';

/** Returns a promise that never resolves, and rejects when the request is aborted. */
function waitForAbort({ signal }: SentRequest): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

async function catchError(...calls: ScriptedResponse[]): Promise<PortalError> {
  const { client } = createScriptedPortal({ calls }, { timeoutMs: 20, maxAttempts: 1 });
  const error: unknown = await client.getInvoice('1').catch((thrown: unknown) => thrown);
  if (!(error instanceof PortalError)) throw new Error('The call did not fail as it should.', { cause: error });
  return error;
}

it('an error has the code, the message, the status and the request id of the response', async () => {
  // This code is unknown to this version of the client.
  const error = await catchError(buildFailure('PAYLOAD_TOO_LARGE', { status: 413 }));
  const expected = { code: 'PAYLOAD_TOO_LARGE', message: 'The message of PAYLOAD_TOO_LARGE.', status: 413 };
  expect(error).toMatchObject({ ...expected, requestId: 'request-1', details: [] });
  expect(error.cause).toBeUndefined();
  // The type lets an editor suggest the known codes.
  type Known = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE';
  expectTypeOf(error.code).toEqualTypeOf<Known | (string & {})>();
});

it('the message of a 429 ends with the time of Retry-After', async () => {
  const error = await catchError(buildFailure('RATE_LIMITED', { headers: { 'Retry-After': '14400' } }));
  expect(error.message).toBe('The message of RATE_LIMITED. (Retry-After: 14400 s)');
});

const propertyError = { property: 'amount', constraints: { minimum: 'amount must be >= 0' } };

it.each([
  ['a list', [propertyError], [propertyError]],
  ['null becomes an empty list', null, []],
])('an error has the details of the response: %s', async (_, details, expected) => {
  const body = { success: false, error: { code: 'VALIDATION_ERROR', message: 'Invalid request.', details } };
  const error = await catchError(Response.json(body, { status: 400 }));
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: expected, requestId: null });
});

const notFound = { code: 'NOT_FOUND', message: '' };
it.each<[string, number, Response]>([
  ['a page of a proxy', 502, new Response('<html>Bad Gateway</html>', { status: 502 })],
  ['a success that is not JSON', 200, new Response('')],
  ['data without success', 200, Response.json({ data: {}, meta: {} })],
  ['an error without success', 404, Response.json({ error: notFound }, { status: 404 })],
  ['an error with the status 200', 200, buildFailure('NOT_FOUND', { status: 200 })],
  ['a success with an error status', 400, Response.json({ success: true, data: {}, meta: {} }, { status: 400 })],
  ['an error without a code', 400, Response.json({ success: false, error: { message: '' } }, { status: 400 })],
])('a call fails with INVALID_RESPONSE after %s', async (_, status, response) => {
  expect(await catchError(response)).toMatchObject({ code: 'INVALID_RESPONSE', status });
});

it('a call fails with INVALID_RESPONSE after a redirect, because following it would send the API key', async () => {
  const redirect: ScriptedResponse = ({ redirect: mode }) => {
    expect(mode).toBe('manual');
    return new Response(null, { status: 302, headers: { Location: 'https://elsewhere.example' } });
  };
  expect(await catchError(redirect)).toMatchObject({ code: 'INVALID_RESPONSE', status: 302 });
});

const unknownHost = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'portal.example' };
const tlsError = { code: 'ERR_TLS_CERT_ALTNAME_INVALID', reason: 'secret' };
const wrap = (properties: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('secret'), properties) });
it.each<[string, unknown, string, object | undefined]>([
  ['an error of the system', wrap(unknownHost), ' (ENOTFOUND)', { name: 'Error', message: 'ENOTFOUND' }],
  ['an error of TLS', wrap(tlsError), ' (ERR_TLS_CERT_ALTNAME_INVALID)', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ['an error without a code', new TypeError('Failed to fetch'), '', { name: 'TypeError', message: 'TypeError' }],
  ['an error with another code', wrap({ code: 'secret' }), '', { name: 'Error', message: 'Error' }],
  ['a value that is not an error', undefined, '', { name: 'Error', message: '' }],
])('a call fails with NETWORK_ERROR if there is no response, because of %s', async (_, thrown, code, cause) => {
  const error = await catchError(() => Promise.reject(thrown));
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: null, details: [], cause });
  expect(error.cause).toBeInstanceOf(Error);
  expect(error.message).toBe(`No response${code}.`);
});

it('a call or a login fails with NETWORK_ERROR after the timeout', async () => {
  const cause = { name: 'TimeoutError' };
  const timedOut = { code: 'NETWORK_ERROR', status: null, message: 'No response within 20 ms.', cause };
  expect(await catchError(waitForAbort)).toMatchObject(timedOut);
  const { client } = createScriptedPortal({ logins: [waitForAbort] }, { timeoutMs: 20, maxAttempts: 1 });
  await expect(client.login()).rejects.toMatchObject(timedOut);
});

it('a call fails with NETWORK_ERROR and the request id if the response is incomplete', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
  const error = await catchError(new Response(body, { headers: { 'X-Request-Id': 'request-2' } }));
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, requestId: 'request-2' });
});

const rejectWithRequest: ScriptedResponse = (request) =>
  Promise.reject(new TypeError(JSON.stringify(request), { cause: new Error(inspect(request)) }));
it('an error contains no credentials, even if the error of fetch or the response contains them', async () => {
  for (const step of [buildFailure('UNAUTHORIZED'), rejectWithRequest, () => new Response(inspect(credentials))]) {
    const shown = inspect(await catchError(step), { depth: null, showHidden: true });
    for (const secret of ['token-1', credentials.apiKey, credentials.password]) expect(shown).not.toContain(secret);
  }
});
