import { describe, expect, it } from 'vitest';
import { mergeHistory } from '../../../infra/ops/invoices/history.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { aRevision } from '../../support/data/seed-invoices.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 0, minute)).toISOString();
const declaredAt = (minute: number, index: number) => ({ ...aRevision('1', index + 1), declaredAt: at(minute) });
const changedAt = (minute: number, index: number): StateChange => ({
  ...{ invoiceId: '1', version: index + 2, from: 'PEN', to: 'LIQ' },
  ...{ fromSystemAmount: null, toSystemAmount: null },
  ...{ changedBy: 'carol', reason: null, changedAt: at(minute) },
});

/** The entries, as `r1` for the first revision and `s1` for the first change of state, of these minutes. */
function ordered(revisionMinutes: readonly number[], changeMinutes: readonly number[]): string[] {
  const entries = mergeHistory(revisionMinutes.map(declaredAt), changeMinutes.map(changedAt));
  return entries.map((entry) => ('revision' in entry ? `r${entry.revision}` : `s${entry.version - 1}`));
}

describe('the history of an invoice', () => {
  it.each([
    ['in the order of time', [1, 4], [2, 3, 5], ['r1', 's1', 's2', 'r2', 's3']],
    ['declarations first at the same time', [1, 2], [2], ['r1', 'r2', 's1']],
    ['revisions in their order when a clock ran backwards', [10, 5, 12], [7, 11], ['s1', 'r1', 'r2', 's2', 'r3']],
    ['versions in their order when a clock ran backwards', [7], [10, 5, 12], ['r1', 's1', 's2', 's3']],
  ])('has %s', (_, revisions, changes, entries) => {
    expect(ordered(revisions, changes)).toEqual(entries);
  });
});
