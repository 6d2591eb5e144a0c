import { describe, expect, it } from 'vitest';
import { failure, scriptedPortal, success, token, times } from '../../support/client/scripted-portal.ts';

const expired = () => failure('TOKEN_EXPIRED');

describe('the session of a client', () => {
  it('begins with the first call, and serves all others', async () => {
    const { client, trace, requests } = scriptedPortal({ calls: times(2, () => success({})) });
    expect(trace).toEqual([]);
    await client.getInvoice('1');
    await client.getInvoice('2');
    expect(trace).toEqual(['login', 'token-1', 'token-1']);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ email: 'ana@demo.example', password: 'secret-password' });
    expect(requests[0]?.headers).not.toHaveProperty('X-API-Key');
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

  it('is renewed when the token has expired, and the call is repeated [auth/flow-4]', async () => {
    const { client, trace } = scriptedPortal({ calls: [expired(), success({ invoice_id: '1' })] });
    expect(await client.getInvoice('1')).toEqual({ invoice_id: '1' });
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2']);
  });

  it('is renewed once for a call: a second TOKEN_EXPIRED is thrown', async () => {
    const { client, trace } = scriptedPortal({ calls: [expired(), failure('SERVICE_UNAVAILABLE'), expired()] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'TOKEN_EXPIRED', status: 401 });
    expect(trace).toEqual(['login', 'token-1', 'login', 'token-2', '1 s', 'token-2']);
  });

  it('keeps the retries of a call that it was renewed for', async () => {
    const unavailable = () => failure('SERVICE_UNAVAILABLE');
    const { client, trace } = scriptedPortal({ calls: [unavailable(), expired(), ...times(4, unavailable)] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(trace.filter((entry) => entry.endsWith(' s'))).toEqual(['1 s', '2 s', '4 s', '8 s']);
  });

  it('is renewed once for calls side by side, also for one that hears of it late', async () => {
    const late = Promise.withResolvers<Response>();
    const calls = [expired(), () => late.promise, success({}), success({})];
    const { client, trace } = scriptedPortal({ calls });
    const first = client.getInvoice('1');
    const second = client.getInvoice('2');
    await first;
    late.resolve(expired());
    await second;
    expect(trace).toEqual(['login', 'token-1', 'token-1', 'login', 'token-2', 'token-2']);
  });

  it.each([
    ['UNAUTHORIZED', () => failure('UNAUTHORIZED')],
    ['INVALID_RESPONSE', () => new Response('Unauthorized', { status: 401 })],
  ])(
    'ends with any other 401 (%s), which is thrown: only the next call logs in [auth/flow-4]',
    async (code, refused) => {
      const { client, trace } = scriptedPortal({ calls: [refused(), success({})] });
      await expect(client.getInvoice('1')).rejects.toMatchObject({ code, status: 401 });
      expect(trace).toEqual(['login', 'token-1']);
      await client.getInvoice('1');
      expect(trace).toEqual(['login', 'token-1', 'login', 'token-2']);
    },
  );

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
