import { ALL_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../../../lib/domain/errors.ts';
import { describe, expect, it } from 'vitest';
import type { PortalError } from '../../../lib/client/exchange.ts';
import {
  buildExactSuccess,
  buildFailure,
  createScriptedPortal,
  type ScriptedResponse,
  buildSuccess,
  times,
  buildLogin,
} from '../../support/client/scripted-portal.ts';

const ok = () => buildSuccess({ invoice_id: '1' });
const page = (status: number) => new Response('<html>', { status });
const expired = () => buildFailure('TOKEN_EXPIRED');
const refused = () => buildFailure('UNAUTHORIZED');
const unavailable = () => buildFailure('SERVICE_UNAVAILABLE');
const waiting = () => buildFailure('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '37' } });
const suspended = () => buildFailure('COMPANY_SUSPENDED');
const limited = (seconds?: string) =>
  buildFailure('RATE_LIMITED', seconds ? { headers: { 'Retry-After': seconds } } : {});
const repeatedly = 'login t1 1s t1 2s t1 4s t1 8s t1';

const codes = ALL_ERROR_CODES;
const retried: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const withStatus = (code: ErrorCode) => `${code} ${ERROR_CODES[code].status}`;
const endOf = (call: Promise<object>): Promise<string> =>
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

/** Makes a call for each expected end, one after the other. */
async function expectExchange([, calls, ends, sent, logins]: Case, { early = false } = {}): Promise<void> {
  const { client, trace } = createScriptedPortal({ calls, ...(logins && { logins }) });
  if (early) await client.login();
  const found: string[] = [];
  for (const _ of ends.split(', ')) found.push(await endOf(client.getInvoice('1')));
  expect(found.join(', ')).toBe(ends);
  expect(trace.map((entry) => entry.replace('token-', 't').replace(' s', 's')).join(' ')).toBe(sent);
}

describe('a call of the client is retried', () => {
  it.each<Case>([
    ['until it succeeds [auth/rule-5/client]', [buildFailure('INTERNAL_ERROR'), ok()], 'ok', 'login t1 1s t1'],
    ...retried.map((code): Case => {
      const title = `after 1, 2, 4 and 8 seconds, at most 4 times: ${code} [errors/rule-4]`;
      return [title, times(5, () => buildFailure(code)), withStatus(code), repeatedly];
    }),
    [
      'after the Retry-After of a 429, which uses one of the retries [errors/rule-4]',
      [unavailable(), limited('37'), ...times(3, limited)],
      'RATE_LIMITED 429',
      'login t1 1s t1 37s t1 4s t1 8s t1',
    ],
    ...['soon', '-1', '1.5', '9999999'].map((after): Case => {
      const title = `after 1 second if a 429 has the invalid Retry-After ${after}`;
      return [title, [limited(after), ok()], 'ok', 'login t1 1s t1'];
    }),
    ['after 1 second if a 503 has a Retry-After', [waiting(), ok()], 'ok', 'login t1 1s t1'],
    ['because of its status, with any body', times(5, () => page(503)), 'INVALID_RESPONSE 503', repeatedly],
    ['by the login alone, after its back-off', [ok()], 'ok', 'login 1s login t1', [unavailable()]],
    ['after the lockout of its login', [ok()], 'ok', 'login 60s login t1', [limited('60')]],
  ])('%s', (...each) => expectExchange(each));
});

it.each<Case>([
  ...codes
    .filter((code) => !retried.includes(code) && ERROR_CODES[code].status !== 401)
    .map((code): Case => [`after ${code}`, [buildFailure(code)], withStatus(code), 'login t1']),
  ['after a status that the service does not use, such as 504', [page(504)], 'INVALID_RESPONSE 504', 'login t1'],
  ['if the login is rejected [auth/rule-4/client]', [], 'COMPANY_SUSPENDED 403', 'login', [suspended()]],
])('a call of the client is not retried %s', (...each) => expectExchange(each));

describe('the session of a client', () => {
  it.each<Case>([
    ['TOKEN_EXPIRED [auth/flow-4]', [expired(), ok()], 'ok', 'login t1 login t2'],
    ['UNAUTHORIZED [auth/flow-4]', [refused(), ok()], 'ok', 'login t1 login t2'],
    ['a response of another server [auth/flow-4]', [page(401), ok()], 'ok', 'login t1 login t2'],
    ['once [auth/flow-4]', times(3, refused), 'UNAUTHORIZED 401, UNAUTHORIZED 401', 'login t1 login t2 login t3'],
    ['once, besides retries', [expired(), unavailable(), expired()], 'TOKEN_EXPIRED 401', 'login t1 login t2 1s t2'],
    ['in vain', [expired()], 'COMPANY_SUSPENDED 403', 'login t1 login', [buildLogin('t1'), suspended()]],
  ])('is renewed after a 401, and the call is retried: %s', (...each) => expectExchange(each, { early: true }));

  it.each<Case>([
    ['is not renewed directly after a login', [refused(), ok()], 'UNAUTHORIZED 401, ok', 'login t1 login t2'],
    [
      'counts the retries of a call before and after the renewal together',
      [unavailable(), expired(), ...times(4, unavailable)],
      'SERVICE_UNAVAILABLE 503',
      'login t1 1s t1 login t2 2s t2 4s t2 8s t2',
    ],
    ...(['FORBIDDEN', 'COMPANY_SUSPENDED', 'NOT_FOUND'] as const).map((code): Case => {
      return [`is not renewed after ${code}`, [buildFailure(code), ok()], `${withStatus(code)}, ok`, 'login t1 t1'];
    }),
    ['is not created from a response without a token', [], 'INVALID_RESPONSE 200', 'login', [buildExactSuccess({})]],
  ])('%s', (...each) => expectExchange(each));

  it('begins with one login, by the first call or by login()', async () => {
    const { client, trace, requests } = createScriptedPortal({ calls: times(2, ok) }, { playerid: 'player-1' });
    expect(trace).toEqual([]);
    for (const call of [client.getInvoice('1'), client.login(), client.getInvoice('2')]) await call;
    expect(trace).toEqual(['login', 'token-1', 'token-1']);
    const body = { email: 'ana@demo.example', password: 'secret-password', playerid: 'player-1' };
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(body);
  });

  it('fails for all calls that wait for its login, and the next call logs in again', async () => {
    const { client, trace } = createScriptedPortal({ logins: [refused(), buildLogin('later')], calls: [ok()] });
    const ends = await Promise.all([client.getInvoice('1'), client.getInvoice('2')].map(endOf));
    expect([...ends, await endOf(client.getInvoice('3'))]).toEqual(['UNAUTHORIZED 401', 'UNAUTHORIZED 401', 'ok']);
    expect(trace).toEqual(['login', 'login', 'later']);
  });

  it('is renewed once for 20 parallel calls, also if the new token is rejected', async () => {
    const { client, trace } = createScriptedPortal({ calls: [...times(20, refused), ...times(20, refused)] });
    await client.login();
    const ends = await Promise.all(Array.from({ length: 20 }, (_, index) => endOf(client.getInvoice(String(index)))));
    expect(ends).toEqual(ends.map(() => 'UNAUTHORIZED 401'));
    const sent = (entry: string) => Array<string>(20).fill(entry);
    expect(trace).toEqual(['login', ...sent('token-1'), 'login', ...sent('token-2')]);
  });

  it('is renewed once for parallel calls, also if a 401 arrives after the renewal', async () => {
    const late = Promise.withResolvers<Response>();
    const { client, trace } = createScriptedPortal({ calls: [expired(), () => late.promise, ok(), ok()] });
    await client.login();
    const [first, second] = [client.getInvoice('1'), client.getInvoice('2')];
    await first;
    late.resolve(expired());
    await second;
    expect(trace).toEqual(['login', 'token-1', 'token-1', 'login', 'token-2', 'token-2']);
  });
});
