import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { declareAmount, type DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import {
  CHANGES,
  buildCounterName,
  buildCounterUpdates,
  buildFingerprintName,
} from '../../../lib/tables/day-counters.ts';
import { fromInvoice, buildRows } from '../../../lib/tables/invoice-items.ts';
import { computeItemBytes } from '../../../lib/tables/dynamodb/values.ts';
import { buildCounterSortKey, buildInvoicePartition } from '../../../lib/tables/keys.ts';
import { buildDeclarationItems } from '../../../lib/tables/history-items.ts';
import { computeChangeCost, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const march = anInvoice({ invoiceDate: '2026-03-15' });

const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, userId: '7', requestId: 'r', now: new Date(0), newDeclarationId: () => '1' };
const declared = declareAmount(march, { invoiceId: march.invoiceId, amount: 1, notes: 'x'.repeat(500) }, context);
const revision = declared.revision as DeclarationRevision;

describe('the cost of a change', () => {
  it('is one write of the bytes of a new invoice, and one of each of its two rows, in its month', () => {
    expect(computeChangeCost(scope, { before: null, after: march, revisions: [] })).toEqual({
      writes: 3,
      bytes: [fromInvoice(scope, march), ...buildRows(scope, march)].reduce(
        (sum, item) => sum + computeItemBytes(item),
        0,
      ),
      shared: ['2026-03'],
    });
  });

  it('has the declarations, the change of state and the row that is left in it, and shares the entry of the request', () => {
    const after = declared.invoice;
    const alone = computeChangeCost(scope, { before: march, after, revisions: [] });
    const stateChange = stateChangeOf(march, after, { changedBy: 'ops', reason: 'y'.repeat(300), now: new Date(0) });
    const whole = computeChangeCost(scope, { before: march, after, revisions: [revision], stateChange });
    expect(whole.writes).toBe(6);
    expect([alone.shared, whole.shared]).toEqual([['2026-03'], ['2026-03', 'REQUEST#r']]);
    expect(whole.bytes - alone.bytes).toBeGreaterThan(800);
    expect(whole.bytes - alone.bytes).toBeLessThan(1600);
  });

  it('has the months that an invoice leaves and enters, and none when it stays in its place', () => {
    const april = { ...march, sortDate: '2026-04-01T00:00:00.000Z' };
    const months = (after: typeof march) => computeChangeCost(scope, { before: march, after, revisions: [] }).shared;
    expect(months(april)).toEqual(['2026-03', '2026-04']);
    expect(months({ ...march, state: 'APR' })).toEqual(['2026-03']);
    expect(months({ ...march, city: 'Salta' })).toEqual([]);
  });

  it('adds nothing to a counter that keeps its sum, but tells that the day has changed', () => {
    const after = { ...march, sortDate: '2026-03-15T08:00:00.000Z' };
    const [update] = buildCounterUpdates(scope, [{ before: march, after }], 7);
    expect(Object.values(update?.ExpressionAttributeNames ?? {})).toEqual(['15', CHANGES]);
  });

  const longest = { tenant: 't'.repeat(253), supplierId: '9'.repeat(20) };

  it('leaves room for the largest counters that a month can have', () => {
    const days = Array.from({ length: 31 }, (_, day) => `2026-01-${`${day + 1}`.padStart(2, '0')}`);
    const counters = days.flatMap((day) => STATE_CODES.map((state) => [buildCounterName(day, state), 9_999_999_999]));
    expect(counters).toHaveLength(217);
    const item = {
      pk: buildInvoicePartition(longest),
      sk: buildCounterSortKey('2026-01', 5),
      [CHANGES]: 9_999_999_999,
      ...Object.fromEntries(counters),
      // After some hundred million changes.
      ...Object.fromEntries(days.map((day) => [buildFingerprintName(day), NumberValue.from(`-${2n ** 74n}`)])),
    };
    expect(computeItemBytes(item)).toBeLessThan(TRANSACTION_LIMITS.sharedBytes);
  });

  it('leaves room for the longest entry of the log', () => {
    const last = { requestId: 'x'.repeat(36), invoiceId: '9'.repeat(20), revision: 9_999_999_999 };
    const all = Array.from({ length: TRANSACTION_LIMITS.writes }, () => ({ ...revision, ...last }));
    const [entry = {}] = buildDeclarationItems(longest, all, { shard: 31, number: 9_999_999_999 });
    expect(computeItemBytes(entry)).toBeLessThan(TRANSACTION_LIMITS.sharedBytes);
  });
});
