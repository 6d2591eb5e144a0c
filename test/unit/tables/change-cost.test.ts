import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { declareAmount, type DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { buildStateChange } from '../../../lib/domain/invoice-state-change.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import {
  CHANGES,
  buildCounterName,
  buildCounterUpdates,
  buildFingerprintName,
} from '../../../lib/tables/day-counters.ts';
import { fromInvoice, buildRows } from '../../../lib/tables/invoice-items.ts';
import { computeItemBytes } from '../../../lib/tables/dynamodb/values.ts';
import { buildCounterSortKey, buildInvoicePartition, LOG_SHARDS } from '../../../lib/tables/keys.ts';
import { buildDeclarationItems } from '../../../lib/tables/history-items.ts';
import { computeChangeCost, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const march = buildInvoice({ invoiceDate: '2026-03-15' });

const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, userId: '7', requestId: 'r', now: new Date(0), newDeclarationId: () => '1' };
const declared = declareAmount(march, { invoiceId: march.invoiceId, amount: 1, notes: 'x'.repeat(500) }, context);
const revision = declared.revision as DeclarationRevision;

describe('costOfChange', () => {
  it('costOfChange counts for a new invoice the writes of the invoice, its two rows and the check that it is not withdrawn', () => {
    expect(computeChangeCost(scope, { before: null, after: march, revisions: [] })).toEqual({
      writes: 4,
      bytes: [fromInvoice(scope, march), ...buildRows(scope, march)].reduce(
        (sum, item) => sum + computeItemBytes(item),
        0,
      ),
      sharedWrites: ['2026-03'],
    });
  });

  it('costOfChange counts the declarations, the state change and the removed row, and shares the entry of the request', () => {
    const after = declared.invoice;
    const withoutHistory = computeChangeCost(scope, { before: march, after, revisions: [] });
    const stateChange = buildStateChange(march, after, { changedBy: 'ops', reason: 'y'.repeat(300), now: new Date(0) });
    const withHistory = computeChangeCost(scope, { before: march, after, revisions: [revision], stateChange });
    expect(withHistory.writes).toBe(6);
    expect([withoutHistory.sharedWrites, withHistory.sharedWrites]).toEqual([['2026-03'], ['2026-03', 'REQUEST#r']]);
    expect(withHistory.bytes - withoutHistory.bytes).toBeGreaterThan(800);
    expect(withHistory.bytes - withoutHistory.bytes).toBeLessThan(1600);
  });

  it('costOfChange shares the months that an invoice leaves and enters, and none if its counters do not change', () => {
    const april = { ...march, sortDate: '2026-04-01T00:00:00.000Z' };
    const findMonths = (after: typeof march) =>
      computeChangeCost(scope, { before: march, after, revisions: [] }).sharedWrites;
    expect(findMonths(april)).toEqual(['2026-03', '2026-04']);
    expect(findMonths({ ...march, state: 'APR' })).toEqual(['2026-03']);
    expect(findMonths({ ...march, city: 'Salta' })).toEqual([]);
  });

  it('counterUpdates changes no counter with an equal sum, but marks the day as changed', () => {
    const after = { ...march, sortDate: '2026-03-15T08:00:00.000Z' };
    const [update] = buildCounterUpdates(scope, [{ before: march, after }], 7);
    expect(Object.values(update?.ExpressionAttributeNames ?? {})).toEqual(['15', CHANGES]);
  });

  const longest = { tenant: 't'.repeat(253), supplierId: '9'.repeat(20) };

  it('TRANSACTION_LIMITS leaves space for the largest counters of a month', () => {
    const days = Array.from({ length: 31 }, (_, day) => `2026-01-${`${day + 1}`.padStart(2, '0')}`);
    const counters = days.flatMap((day) => STATE_CODES.map((state) => [buildCounterName(day, state), 9_999_999_999]));
    expect(counters).toHaveLength(217);
    const item = {
      pk: buildInvoicePartition(longest),
      sk: buildCounterSortKey('2026-01', 5),
      [CHANGES]: 9_999_999_999,
      ...Object.fromEntries(counters),
      // The sum of each day after about 100 million changes.
      ...Object.fromEntries(days.map((day) => [buildFingerprintName(day), NumberValue.from(`-${2n ** 74n}`)])),
    };
    expect(computeItemBytes(item)).toBeLessThan(TRANSACTION_LIMITS.sharedBytes);
  });

  it('TRANSACTION_LIMITS leaves space for the longest log entry', () => {
    const last = { requestId: 'x'.repeat(36), invoiceId: '9'.repeat(20), revision: 9_999_999_999 };
    const all = Array.from({ length: TRANSACTION_LIMITS.writes }, () => ({ ...revision, ...last }));
    const [entry = {}] = buildDeclarationItems(longest, all, { shard: LOG_SHARDS.all - 1, number: 9_999_999_999 });
    expect(computeItemBytes(entry)).toBeLessThan(TRANSACTION_LIMITS.sharedBytes);
  });
});
