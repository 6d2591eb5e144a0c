import { describe, expect, it } from 'vitest';
import { failure, scriptedPortal, type Step, success, times, token } from '../../support/client/scripted-portal.ts';

const expired = () => failure('TOKEN_EXPIRED');
const refused = () => failure('UNAUTHORIZED');

/** A client that remembers a token, token-1, of an earlier login. */
async function loggedIn(calls: readonly Step[]) {
  const portal = scriptedPortal({ calls });
  await portal.client.login();
  return portal;
}

describe('the session of a client', () => {
  it('begins with the first call, and serves all others', async () => {
    const { client, trace, requests } = scriptedPortal({ calls: times(2, () => success({})) });
    expect(trace).toEqual([]);
    await client.getInvoice('1');
    await client.getInvoice('2');
    expect(trace).toEqual(['login', 'token-1', 'token-1']);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ email: 'ana@demo.example', password: 'secret-password' });
    expect(requests[0]?.headers).toHaveProperty('X-API-Key');
  });

  it('registers a player id with each login, if there is one', async () => {
    const { client, requests } = scriptedPortal({}, { playerid: 'player-1' });
    await client.login();
    const body = { email: 'ana@demo.example', password: 'secret-password', playerid: 'player-1' };
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(body);
  });

  it('can be begun early, once', async () => {
    const { client, trace } = scriptedPortal({ calls: [success({})] });
    await client.login();
    await client.login();
    await client.getInvoice('1');
    expect(trace).toEqual(['login', 'token-1']);
  });

  it('is begun once for calls side by side', async () => {
    const { client, trace } = scriptedPortal({ calls: times(5, () => success({})) });
    await Promise.all(['1', '2', '3', '4', '5'].map((id) => client.getInvoice(id)));
    expect(trace).toEqual(['login', ...Array<string>(5).fill('token-1')]);
  });

  it('fails for all calls that waited for it, and begins anew with the next', async () => {
    const logins = [failure('UNAUTHORIZED'), token('later')];
    const { client, trace } = scriptedPortal({ logins, calls: [success({})] });
    const codes = (await Promise.allSettled([client.getInvoice('1'), client.getInvoice('2')])).map(
      (outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code,
    );
    expect(codes).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED']);
    await client.getInvoice('3');
    expect(trace).toEqual(['login', 'login', 'later']);
  });

  it.each([
    ['TOKEN_EXPIRED', expired],
    ['UNAUTHORIZED', refused],
    ['what is not of the service', () => new Response('Unauthorized', { status: 401 })],
  ])('is renewed after a 401 (%s), and the call is repeated [auth/flow-4]', async (_, make) => {
    const { client, trace } = await loggedIn([make(), success({ invoice_id: '1' })]);
    expect(await client.getInvoice('1')).toEqual({ invoice_id: '1' });
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2']);
  });

  it('is renewed once for a call: what another token does not mend is thrown [auth/flow-4]', async () => {
    const { client, trace } = await loggedIn([refused(), refused(), refused()]);
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2']);
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(trace.slice(4)).toEqual(['login', 'token-3']);
  });

  it('is renewed once for a call that is repeated for other reasons, too', async () => {
    const { client, trace } = await loggedIn([expired(), failure('SERVICE_UNAVAILABLE'), expired()]);
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', status: 401 });
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2', '1 s', 'token-2']);
  });

  it.each([
    ['UNAUTHORIZED', refused],
    ['TOKEN_EXPIRED', expired],
  ])('is not renewed for a 401 (%s) right after the login, which is thrown', async (code, make) => {
    const { client, trace } = scriptedPortal({ calls: [make(), success({})] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code, status: 401 });
    expect(trace).toEqual(['login', 'token-1']);
    await client.getInvoice('1');
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2']);
  });

  it('tells of a login that is refused after the 401, as it is', async () => {
    const inactive = failure('UNAUTHORIZED', { headers: { 'X-Request-Id': 'of the login' } });
    const { client, trace } = scriptedPortal({ logins: [token('token-1'), inactive], calls: [refused()] });
    await client.login();
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'UNAUTHORIZED', requestId: 'of the login' });
    expect(trace).toEqual(['login', 'token-1', 'login']);
  });

  it('keeps the retries of a call that it was renewed for', async () => {
    const unavailable = () => failure('SERVICE_UNAVAILABLE');
    const { client, trace } = scriptedPortal({ calls: [unavailable(), expired(), ...times(4, unavailable)] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(trace.filter((entry) => entry.endsWith(' s'))).toEqual(['1 s', '2 s', '4 s', '8 s']);
  });

  it('is renewed once for many calls side by side', async () => {
    const { client, trace } = await loggedIn([...times(20, refused), ...times(20, () => success({}))]);
    await Promise.all(Array.from({ length: 20 }, (_, index) => client.getInvoice(String(index))));
    expect(trace.filter((entry) => entry === 'login')).toHaveLength(2);
    expect(trace.filter((entry) => entry === 'token-2')).toHaveLength(20);
  });

  it('is renewed once for many calls side by side, when that mends nothing', async () => {
    const { client, trace } = await loggedIn(times(40, refused));
    const calls = Array.from({ length: 20 }, (_, index) => client.getInvoice(String(index)));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED' } });
    }
    expect(trace).toHaveLength(1 + 20 + 1 + 20);
  });

  it('is renewed once for calls side by side, also for one that hears of it late', async () => {
    const late = Promise.withResolvers<Response>();
    const { client, trace } = await loggedIn([expired(), () => late.promise, success({}), success({})]);
    const first = client.getInvoice('1');
    const second = client.getInvoice('2');
    await first;
    late.resolve(expired());
    await second;
    expect(trace).toEqual(['login', 'token-1', 'token-1', 'login', 'token-2', 'token-2']);
  });

  it.each(['FORBIDDEN', 'COMPANY_SUSPENDED', 'NOT_FOUND'] as const)('outlives %s', async (code) => {
    const { client, trace } = scriptedPortal({ calls: [failure(code), success({})] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code });
    await client.getInvoice('1');
    expect(trace).toEqual(['login', 'token-1', 'token-1']);
  });

  it('does not begin without a token', async () => {
    const { client } = scriptedPortal({ logins: [success({})] });
    await expect(client.login()).rejects.toMatchObject({ code: 'INVALID_RESPONSE', status: 200 });
  });
});
