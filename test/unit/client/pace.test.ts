import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Fetch } from '../../../lib/client/exchange.ts';
import { createPortalClient } from '../../../lib/client/portal-client.ts';
import type { Declaration } from '../../../lib/client/portal-data.generated.ts';
import { wait } from '../../../lib/client/wait.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { PORTAL_POLICIES } from '../../../lib/rate-limit/policies.ts';
import { createSlidingWindow } from '../../../lib/rate-limit/sliding-window.ts';
import { credentials, failure, scriptedPortal, type Step, success } from '../../support/client/scripted-portal.ts';
import { rateCountersFake } from '../../support/fakes/guard-stores.ts';

const REQUEST_MS = 40;

/**
 * A service of so many invoices that keeps its real limits, and a client of it. Time passes only by requests and by the
 * waits of the client; it needs the fake timers of `performance`. The clock of the service is its own.
 */
function limitedPortal({ invoices = 0 }: { invoices?: number }) {
  const startMs = Date.parse('2026-08-31T23:59:58.700Z');
  const { count } = createSlidingWindow(rateCountersFake());
  const seen = { requests: 0, refusals: 0, waits: [] as number[] };

  const fetch: Fetch = async (url, init) => {
    vi.advanceTimersByTime(REQUEST_MS);
    if (url.endsWith('/login')) return success({ authorization: 'token' });
    seen.requests += 1;
    const now = new Date(startMs + performance.now());
    const decision = await count('ana', PORTAL_POLICIES[/declare/.test(url) ? 'write' : 'read'], now);
    const { limit, remaining, resetAt } = decision.status;
    const response = decision.kind === 'allowed' ? answerTo(url, init, invoices) : failure('RATE_LIMITED');
    const headers = {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset': resetAt,
      ...(decision.kind === 'refused' && { 'Retry-After': decision.retryAfterSeconds }),
      Date: now.toUTCString(),
    };
    if (decision.kind === 'refused') seen.refusals += 1;
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, String(value));
    return response;
  };
  const pass = async (seconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    seen.waits.push(seconds);
    vi.advanceTimersByTime(seconds * 1000);
  };
  return { client: createPortalClient({ baseUrl: 'https://portal.example', ...credentials, fetch, wait: pass }), seen };
}

function answerTo(url: string, { body }: RequestInit, invoices: number): Response {
  const { pathname, searchParams } = new URL(url);
  if (pathname.endsWith('/declare-batch')) {
    const { declarations } = JSON.parse(body as string) as { declarations: Declaration[] };
    const tolerance = { action: 'AUTO_APPROVE' };
    return success({ results: declarations.map(({ invoice_id }) => ({ invoice_id, success: true, tolerance })) });
  }
  const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name))) as [number, number];
  const length = Math.max(0, Math.min(limit, invoices - offset));
  const rows = Array.from({ length }, (_, index) => ({ invoice_id: String(offset + index) }));
  return success({ rows, tolerance: {} }, { total: invoices, limit, offset });
}

const range = { startdate: '2026-06-01', enddate: '2026-08-31' };
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const NOW = 'Mon, 31 Aug 2026 12:00:00 GMT';
const figures = (limit: number, remaining: number, secondsLeft: number) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Date.parse(NOW) / 1000 + secondsLeft),
});

/** An answer with these headers, and with the time at which it is given. */
function answer(response: Response, headers: Readonly<Record<string, string>>): Step {
  return () => {
    const date = new Date(Date.parse(NOW) + performance.now()).toUTCString();
    for (const [name, value] of Object.entries({ Date: date, ...headers })) response.headers.set(name, value);
    return response;
  };
}
const ok = (headers: Readonly<Record<string, string>>) => answer(success({}), headers);

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('much to do, within the limits of the service', () => {
  // A clock that is right, and one that is wrong by many years.
  it.each(['2026-08-31', '2001-01-01'])('is not one 429, nor held back before, on a machine of %s', async (date) => {
    vi.setSystemTime(date);
    const pages = LIMITS.reads + 20;
    const invoices = pages * LIMITS.pageMax;
    const paged = limitedPortal({ invoices });
    let rows = 0;
    for await (const row of paged.client.eachInvoice(range)) rows += Number(row.invoice_id.length > 0);
    expect(rows).toBe(invoices);
    expect(paged.seen).toMatchObject({ requests: pages, refusals: 0 });
    // The pages of the limit in a minute, and the other 20 in the next.
    expect(sum(paged.seen.waits)).toBeLessThanOrEqual(60);

    const { client, seen } = limitedPortal({});
    const declareToLimit = async () => {
      for (let batches = 0; batches < LIMITS.writes; batches++)
        await client.declareBatch([{ invoice_id: '1', amount: 1 }]);
    };
    await declareToLimit();
    expect(seen).toMatchObject({ requests: LIMITS.writes, refusals: 0, waits: [] });
    vi.advanceTimersByTime(62_000);
    await declareToLimit();
    expect(seen.waits).toEqual([]);
    await declareToLimit();
    expect(seen).toMatchObject({ requests: 3 * LIMITS.writes, refusals: 0 });
    expect(sum(seen.waits)).toBeLessThanOrEqual(60);
  });
});

const RESET = 'X-RateLimit-Reset';
const spent = figures(30, 0, 40);
const unavailable = answer(failure('SERVICE_UNAVAILABLE'), spent);
const limited = answer(failure('RATE_LIMITED'), { ...spent, 'Retry-After': '39' });
const inactive = answer(failure('UNAUTHORIZED'), spent);
const unknown = answer(failure('UNAUTHORIZED'), figures(30, 30, 60));
const hourAhead = ok({ Date: 'Mon, 31 Aug 2026 13:00:00 GMT' });

describe('a call of which the last answer left nothing', () => {
  it('waits for what is left of the time, and only its group does', async () => {
    const { client, trace } = scriptedPortal({ calls: [ok(spent), ok({}), ok({})] });
    await client.getInvoice('1');
    vi.advanceTimersByTime(15_000);
    await client.declareInvoice({ invoice_id: '1', amount: 1 });
    await client.validateAmount({ invoice_id: '1', amount: 1 });
    expect(trace).toEqual(['login', 'token-1', 'token-1', '25 s', 'token-1']);
  });

  it.each<[string, readonly Step[], number, string]>([
    ['forgets a time that a later answer disproves', [hourAhead, ok(spent), ok({})], 3, 'login t1 t1 40s t1'],
    ['never waits for more than a window', [ok(figures(30, 0, 86_400)), ok({})], 2, 'login t1 60s t1'],
    ['waits for no headers without a number', [ok({ ...spent, [RESET]: 'soon' }), ok({})], 2, 'login t1 t1'],
    [
      'keeps its figures when it is told the whole limit, as a caller that is not known',
      [ok(spent), unknown, ok({})],
      2,
      'login t1 40s t1 40s login t2',
    ],
    ['waits for no empty headers', [ok({ ...spent, 'X-RateLimit-Remaining': '' }), ok({})], 2, 'login t1 t1'],
    ['does not wait where no answer tells the time', [ok({ ...spent, Date: '' }), ok({})], 2, 'login t1 t1'],
    ['waits for no time that is over', [ok(figures(30, 0, -5)), ok({})], 2, 'login t1 t1'],
    ['waits for its group before a retry, too', [unavailable, ok({})], 1, 'login t1 1s 40s t1'],
    ['waits after a 429 only as long as that says', [limited, ok({})], 1, 'login t1 39s t1'],
    ['waits after a 401 that was counted', [ok(figures(30, 1, 40)), inactive, ok({})], 2, 'login t1 t1 40s login t2'],
  ])('%s', async (_, steps, calls, sent) => {
    const { client, trace } = scriptedPortal({ calls: steps });
    for (let call = 0; call < calls; call++) await client.getInvoice('1');
    expect(trace.map((entry) => entry.replace('token-', 't').replace(' s', 's')).join(' ')).toBe(sent);
  });

  it('can be aborted while it waits, and is not sent then', async () => {
    const controller = new AbortController();
    const { client, trace } = scriptedPortal({ calls: [ok(spent)] }, { wait });
    await client.getInvoice('1');
    const call = client.getInvoice('1', controller);
    await vi.advanceTimersByTimeAsync(39_000);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(trace).toEqual(['login', 'token-1']);
  });
});

describe('the last figures of each group', () => {
  const reset = Date.parse(NOW) / 1000 + 40;

  it('can be read, of whatever answer they were', async () => {
    const logins = [answer(success({ authorization: 'token' }), figures(5, 5, 30))];
    const calls = [ok(figures(30, 29, 40)), answer(failure('NOT_FOUND'), figures(10, 7, 40))];
    const { client } = scriptedPortal({ logins, calls });
    expect(client.rates()).toEqual({ reads: null, writes: null, login: null });
    await client.getInvoice('1');
    await expect(client.declareInvoice({ invoice_id: '1', amount: 1 })).rejects.toThrow();
    expect(client.rates()).toEqual({
      reads: { limit: 30, remaining: 29, reset },
      writes: { limit: 10, remaining: 7, reset },
      login: { limit: 5, remaining: 5, reset: reset - 10 },
    });
  });
});
