import { ALL_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import { expect, it } from 'vitest';
import type { PortalError } from '../../../lib/client/portal-error.ts';
import { buildFailure, buildLogin, buildSuccess, times } from '../../support/client/scripted-portal.ts';
import { createScriptedPortal, type ScriptedResponse } from '../../support/client/scripted-portal.ts';
import { proves } from '../../rules/proves.ts';

const ok = () => buildSuccess({ invoice_id: '1' });
const htmlPage = (status: number) => new Response('<html>', { status });
const expired = () => buildFailure('TOKEN_EXPIRED');
const unauthorized = () => buildFailure('UNAUTHORIZED');
const unavailable = () => buildFailure('SERVICE_UNAVAILABLE');
const unavailableFor37s = () => buildFailure('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '37' } });
const suspended = () => buildFailure('COMPANY_SUSPENDED');
const throttled = (seconds?: string) =>
  buildFailure('RATE_LIMITED', seconds ? { headers: { 'Retry-After': seconds } } : {});
const lost = () => Promise.reject(new TypeError('fetch failed'));
const fourLogins = 'login 1s login 2s login 4s login 8s login';
const fourRetries = 'login t1 1s t1 2s t1 4s t1 8s t1';

const codes = ALL_ERROR_CODES;
const retriedCodes = codes.filter((code) => ERROR_CODES[code].isRetryable);
const formatError = (code: ErrorCode) => `${code} ${ERROR_CODES[code].status}`;
const readEnd = (call: Promise<object>): Promise<string> =>
  call.then(
    () => 'ok',
    ({ code, status }: PortalError) => `${code} ${status}`,
  );

type Case = [
  title: string,
  calls: readonly ScriptedResponse[],
  ends: string,
  trace: string,
  logins?: readonly ScriptedResponse[],
];

/** Makes one call for each expected end, one after the other, and checks the ends and the sent requests. */
async function expectExchange([, calls, ends, sent, logins]: Case, { isLoggedIn = false } = {}): Promise<void> {
  const { client, trace } = createScriptedPortal({ calls, ...(logins && { logins }) });
  if (isLoggedIn) await client.login();
  const found: string[] = [];
  for (const _ of ends.split(', ')) found.push(await readEnd(client.getInvoice('1')));
  expect(found.join(', ')).toBe(ends);
  expect(trace.map((entry) => entry.replace('token-', 't').replace(' s', 's')).join(' ')).toBe(sent);
}

it.each<Case>([
  ['until it succeeds', [buildFailure('INTERNAL_ERROR'), ok()], 'ok', 'login t1 1s t1'],
  ...retriedCodes.map((code): Case => {
    const title = `after 1, 2, 4 and 8 seconds, at most 4 times: ${code}`;
    return [title, times(5, () => buildFailure(code)), formatError(code), fourRetries];
  }),
  [
    'after the Retry-After of a 429, which uses one of the retries',

    [unavailable(), throttled('37'), ...times(3, throttled)],
    'RATE_LIMITED 429',
    'login t1 1s t1 37s t1 4s t1 8s t1',
  ],
  ...['soon', '-1', '1.5'].map((after): Case => {
    const title = `after 1 second if a 429 has the invalid Retry-After ${after}`;
    return [title, [throttled(after), ok()], 'ok', 'login t1 1s t1'];
  }),
  ['after 1 second if a 503 has a Retry-After', [unavailableFor37s(), ok()], 'ok', 'login t1 1s t1'],
  ...[502, 503, 504].map((status): Case => {
    const pages = times(5, () => htmlPage(status));
    return [`after a ${status} with any body`, pages, `INVALID_RESPONSE ${status}`, fourRetries];
  }),
  ['after a request without a response', [lost, ok()], 'ok', 'login t1 1s t1'],
  ['in its login only, after a request without a response', [], 'NETWORK_ERROR null', fourLogins, Array(5).fill(lost)],
  ['in its login only, after the back-off of the login', [ok()], 'ok', 'login 1s login t1', [unavailable()]],
  ['after the lockout of its login', [ok()], 'ok', 'login 120s login t1', [throttled('120')]],
])('a call of the client is retried %s', (...each) => {
  proves('auth/rule-5/client', 'errors/rule-4');
  return expectExchange(each);
});

it('maxAttempts is the maximum number of attempts of a call', async () => {
  const { client, trace } = createScriptedPortal({ calls: times(7, unavailable) }, { maxAttempts: 7 });
  await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(trace.filter((entry) => entry === 'token-1')).toHaveLength(7);
  expect(trace.at(-2)).toBe('32 s');
});

it.each<Case>([
  ...codes
    .filter((code) => !retriedCodes.includes(code) && ERROR_CODES[code].status !== 401)
    .map((code): Case => [`after ${code}`, [buildFailure(code)], formatError(code), 'login t1']),
  ['after a status that the service does not use, such as 505', [htmlPage(505)], 'INVALID_RESPONSE 505', 'login t1'],
  ['if the login is rejected', [], 'COMPANY_SUSPENDED 403', 'login', [suspended()]],
  ['after a lockout of more than two minutes', [throttled('121')], 'RATE_LIMITED 429', 'login t1'],
  ['if the login is locked out for hours', [], 'RATE_LIMITED 429', 'login', [throttled('14400')]],
  ['if the login is locked out for months', [], 'RATE_LIMITED 429', 'login', [throttled('9999999')]],
])('a call of the client is not retried %s', (...each) => {
  proves('auth/rule-4/client');
  return expectExchange(each);
});

it.each<Case>([
  ['TOKEN_EXPIRED', [expired(), ok()], 'ok', 'login t1 login t2'],
  ['UNAUTHORIZED', [unauthorized(), ok()], 'ok', 'login t1 login t2'],
  ['a response of another server', [htmlPage(401), ok()], 'ok', 'login t1 login t2'],
  ['once', times(3, unauthorized), 'UNAUTHORIZED 401, UNAUTHORIZED 401', 'login t1 login t2 login t3'],
  ['once, with a retry', [expired(), unavailable(), expired()], 'TOKEN_EXPIRED 401', 'login t1 login t2 1s t2'],
  ['rejected login', [expired()], 'COMPANY_SUSPENDED 403', 'login t1 login', [buildLogin('t1'), suspended()]],
])('a 401 renews the session, and the call is retried: %s', (...each) => {
  proves('auth/flow-4');
  return expectExchange(each, { isLoggedIn: true });
});

it.each<Case>([
  ['is not renewed directly after a login', [unauthorized(), ok()], 'UNAUTHORIZED 401, ok', 'login t1 login t2'],
  [
    'counts the retries of a call before and after the renewal together',
    [unavailable(), expired(), ...times(4, unavailable)],
    'SERVICE_UNAVAILABLE 503',
    'login t1 1s t1 login t2 2s t2 4s t2 8s t2',
  ],
  ...(['FORBIDDEN', 'COMPANY_SUSPENDED', 'NOT_FOUND'] as const).map((code): Case => {
    return [`is not renewed after ${code}`, [buildFailure(code), ok()], `${formatError(code)}, ok`, 'login t1 t1'];
  }),
])('the session %s', (...each) => expectExchange(each));

it('the session begins with one login, by the first call or by login()', async () => {
  const { client, trace, requests } = createScriptedPortal({ calls: times(2, ok) }, { playerid: 'player-1' });
  expect(trace).toEqual([]);
  for (const call of [client.getInvoice('1'), client.login(), client.getInvoice('2')]) await call;
  expect(trace).toEqual(['login', 'token-1', 'token-1']);
  const body = { email: 'ana@demo.example', password: 'secret-password', playerid: 'player-1' };
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual(body);
});

it('a failed login fails all calls that wait for it, and the next call logs in again', async () => {
  const { client, trace } = createScriptedPortal({ logins: [unauthorized(), buildLogin('later')], calls: [ok()] });
  const ends = await Promise.all([client.getInvoice('1'), client.getInvoice('2')].map(readEnd));
  expect([...ends, await readEnd(client.getInvoice('3'))]).toEqual(['UNAUTHORIZED 401', 'UNAUTHORIZED 401', 'ok']);
  expect(trace).toEqual(['login', 'login', 'later']);
});

it('the session is renewed once for 20 parallel calls, even if the new token is rejected', async () => {
  const { client, trace } = createScriptedPortal({ calls: [...times(20, unauthorized), ...times(20, unauthorized)] });
  await client.login();
  const ends = await Promise.all(Array.from({ length: 20 }, (_, index) => readEnd(client.getInvoice(String(index)))));
  expect(ends).toEqual(ends.map(() => 'UNAUTHORIZED 401'));
  const sent = (entry: string) => Array<string>(20).fill(entry);
  expect(trace).toEqual(['login', ...sent('token-1'), 'login', ...sent('token-2')]);
});

it('the session is renewed once for parallel calls, even if a 401 arrives after the renewal', async () => {
  const late = Promise.withResolvers<Response>();
  const { client, trace } = createScriptedPortal({ calls: [expired(), () => late.promise, ok(), ok()] });
  await client.login();
  const [first, second] = [client.getInvoice('1'), client.getInvoice('2')];
  await first;
  late.resolve(expired());
  await second;
  expect(trace).toEqual(['login', 'token-1', 'token-1', 'login', 'token-2', 'token-2']);
});
