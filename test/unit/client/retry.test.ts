import { describe, expect, it } from 'vitest';
import { STATUS_OF } from '../../../lib/contracts/statuses.ts';
import type { ErrorCode } from '../../../lib/domain/errors.ts';
import { failure, scriptedPortal, success, times } from '../../support/client/scripted-portal.ts';

const limited = (headers: Record<string, string> = {}) => failure('RATE_LIMITED', { headers });
const retriedCodes: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const otherCodes = (Object.keys(STATUS_OF) as ErrorCode[]).filter(
  (code) => !retriedCodes.includes(code) && STATUS_OF[code] !== 401,
);

describe('a call of the client is repeated', () => {
  it.each(retriedCodes)('after 1, 2, 4 and 8 seconds, at most 4 times: %s [errors/rule-4]', async (code) => {
    const { client, trace } = scriptedPortal({ calls: times(5, () => failure(code)) });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code, status: STATUS_OF[code] });
    const call = 'token-1';
    expect(trace).toEqual(['login', call, '1 s', call, '2 s', call, '4 s', call, '8 s', call]);
  });

  it('until it succeeds [auth/rule-5/client]', async () => {
    const answers = [failure('INTERNAL_ERROR'), failure('SERVICE_UNAVAILABLE'), success({ invoice_id: '1' })];
    const { client, trace } = scriptedPortal({ calls: answers });
    expect(await client.getInvoice('1')).toEqual({ invoice_id: '1' });
    expect(trace).toEqual(['login', 'token-1', '1 s', 'token-1', '2 s', 'token-1']);
  });

  it('after what a 429 says in Retry-After, which uses up a retry as any other [errors/rule-4]', async () => {
    const answers = [failure('INTERNAL_ERROR'), limited({ 'Retry-After': '37' }), ...times(3, limited)];
    const { client, trace } = scriptedPortal({ calls: answers });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(trace.filter((entry) => entry.endsWith(' s'))).toEqual(['1 s', '37 s', '4 s', '8 s']);
  });

  it.each(['', 'soon', '-1', '1.5', '9999999', 'Sat, 21 Nov 2026 10:00:00 GMT'])(
    'after the computed wait, when a 429 has the Retry-After %j',
    async (retryAfter) => {
      const { client, trace } = scriptedPortal({ calls: [limited({ 'Retry-After': retryAfter }), success({})] });
      await client.getInvoice('1');
      expect(trace).toEqual(['login', 'token-1', '1 s', 'token-1']);
    },
  );

  it('after the computed wait, when a 503 has a Retry-After', async () => {
    const unavailable = failure('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '37' } });
    const { client, trace } = scriptedPortal({ calls: [unavailable, success({})] });
    await client.getInvoice('1');
    expect(trace).toContain('1 s');
  });

  it('by its status, whatever stands in its body', async () => {
    const page = () => new Response('<html>Service Unavailable</html>', { status: 503 });
    const { client, trace } = scriptedPortal({ calls: times(5, page) });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'INVALID_RESPONSE', status: 503 });
    expect(trace).toHaveLength(1 + 5 + 4);
  });

  it('by the same rule when it is the login that fails, and then not once more around it', async () => {
    const { client, trace } = scriptedPortal({ logins: times(5, () => failure('SERVICE_UNAVAILABLE')) });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(trace).toEqual(['login', '1 s', 'login', '2 s', 'login', '4 s', 'login', '8 s', 'login']);
  });

  it('by the login with the block that it is told of', async () => {
    const logins = [limited({ 'Retry-After': '60' })];
    const { client, trace } = scriptedPortal({ logins, calls: [success({})] });
    await client.getInvoice('1');
    expect(trace).toEqual(['login', '60 s', 'login', 'token-1']);
  });
});

describe('a call of the client is not repeated', () => {
  it.each(otherCodes)('after %s', async (code) => {
    const { client, trace } = scriptedPortal({ calls: [failure(code)] });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code });
    expect(trace).toEqual(['login', 'token-1']);
  });

  it("after a status that the service does not have, such as a proxy's 504", async () => {
    const { client, trace } = scriptedPortal({
      calls: [new Response('<html>Gateway Time-out</html>', { status: 504 })],
    });
    await expect(client.getInvoice('1')).rejects.toMatchObject({ code: 'INVALID_RESPONSE', status: 504 });
    expect(trace).toEqual(['login', 'token-1']);
  });

  it('when the company is suspended, neither before the login nor while it retries [auth/rule-4/client]', async () => {
    const suspended = scriptedPortal({ logins: [failure('COMPANY_SUSPENDED')] });
    await expect(suspended.client.getInvoice('1')).rejects.toMatchObject({ code: 'COMPANY_SUSPENDED' });
    expect(suspended.trace).toEqual(['login']);

    const meanwhile = scriptedPortal({ calls: [failure('SERVICE_UNAVAILABLE'), failure('COMPANY_SUSPENDED')] });
    await expect(meanwhile.client.getInvoice('1')).rejects.toMatchObject({ code: 'COMPANY_SUSPENDED' });
    expect(meanwhile.trace).toEqual(['login', 'token-1', '1 s', 'token-1']);
  });
});
