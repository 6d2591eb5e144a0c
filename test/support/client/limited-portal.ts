import { vi } from 'vitest';
import type { Fetch } from '../../../lib/client/exchange.ts';
import { createPortalClient } from '../../../lib/client/portal-client.ts';
import type { Declaration } from '../../../lib/client/portal-data.generated.ts';
import { PORTAL_POLICIES } from '../../../lib/rate-limit/policies.ts';
import { createSlidingWindow } from '../../../lib/rate-limit/sliding-window.ts';
import { rateCountersFake } from '../fakes/guard-stores.ts';
import { credentials, failure, success } from './scripted-portal.ts';

const REQUEST_MS = 40;

/**
 * A service of so many invoices that keeps its real limits, and a client of it. Time passes only by requests and by the
 * waits of the client; it needs the fake timers of `performance`. The clock of the service is its own.
 */
export function limitedPortal({ invoices = 0 }: { invoices?: number }) {
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
    const response = decision.kind === 'allowed' ? answer(url, init, invoices) : failure('RATE_LIMITED');
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
  const wait = async (seconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    seen.waits.push(seconds);
    vi.advanceTimersByTime(seconds * 1000);
  };
  return { client: createPortalClient({ baseUrl: 'https://portal.example', ...credentials, fetch, wait }), seen };
}

function answer(url: string, { body }: RequestInit, invoices: number): Response {
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
