import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../lib/domain/limits.ts';
import { buildSuccess, createScriptedPortal, type ScriptedResponse } from '../support/client/scripted-portal.ts';
import { useDate } from '../support/setup/use-date.ts';

const START_MS = Date.parse('2026-11-28T12:00:00Z');
const HOUR_MS = 3_600_000;
const PAGE_ROWS = 3;

/** The change of an invoice. `delayMs` is the time from the change until it is visible. */
interface Change {
  readonly changedMs: number;
  readonly delayMs: number;
  readonly invoiceDay: string;
}

const formatTime = (ms: number) => new Date(ms).toISOString();
/** Generates a number up to a maximum, which is often the maximum. */
const upTo = (max: number) => fc.oneof(fc.nat(max), fc.constant(max));
const changes = fc.array(
  fc.record<Change>({
    changedMs: fc.nat(HOUR_MS).map((ms) => START_MS + ms),
    delayMs: upTo(LIMITS.changeDelaySeconds * 1000),
    invoiceDay: fc.nat(360).map((days) => formatTime(START_MS - days * 24 * HOUR_MS).slice(0, 10)),
  }),
  { maxLength: 30, size: 'max' },
);

/** Generates the waits of a program before its polls, the duration of each request, and the error of its clock. */
const program = fc.record({
  waitsMs: fc.array(fc.nat(600_000), { maxLength: 12, size: 'max' }),
  requestMs: fc.oneof(fc.constant(0), fc.nat(10_000)),
  aheadMs: upTo(40_000),
});

/** Creates a client of a service whose responses take `requestMs`, and contain only the changes that are visible then. */
function createChangingPortal(storedChanges: readonly Change[], requestMs: number) {
  const invoices = storedChanges
    .map((change, index) => ({ ...change, row: { invoice_id: String(index) } }))
    .toSorted((a, b) => Date.parse(b.invoiceDay) - Date.parse(a.invoiceDay));
  const servePage: ScriptedResponse = ({ url }) => {
    vi.setSystemTime(Date.now() + requestMs);
    const { searchParams } = new URL(url);
    const [startdate = '', enddate = '', changedSince = ''] = ['startdate', 'enddate', 'changed_since'].map((name) =>
      searchParams.get(name),
    );
    const listed = invoices
      .filter(({ invoiceDay }) => invoiceDay >= startdate! && invoiceDay <= enddate!)
      .filter(({ changedMs, delayMs }) => formatTime(changedMs) >= changedSince! && changedMs + delayMs <= Date.now());
    const offset = Number(searchParams.get('offset'));
    const rows = listed.slice(offset, offset + PAGE_ROWS).map(({ row }) => row);
    return buildSuccess({ rows, tolerance: {} }, { total: listed.length, limit: PAGE_ROWS, offset });
  };
  return createScriptedPortal({ calls: Array<ScriptedResponse>(1_000).fill(servePage) }).client;
}

useDate(START_MS);

it('a program that polls with changesSince sees every change, however late it becomes visible within 20 seconds', async () => {
  const property = fc.asyncProperty(changes, program, async (stored, { waitsMs, requestMs, aheadMs }) => {
    vi.setSystemTime(START_MS);
    const client = createChangingPortal(stored, requestMs);
    const seenIds = new Set<string>();
    let lastPoll = new Date();
    // The last poll is after all changes.
    for (const waitMs of [...waitsMs, 2 * HOUR_MS]) {
      vi.setSystemTime(Date.now() + waitMs);
      const startedAt = new Date(Date.now() + aheadMs);
      for await (const { invoice_id: id } of client.changesSince(lastPoll)) seenIds.add(id);
      lastPoll = startedAt;
    }
    expect(seenIds.size).toBe(stored.length);
  });
  await fc.assert(property, { numRuns: 300 });
});
