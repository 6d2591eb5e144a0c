import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../../../lib/domain/list-entry.ts';
import { makeDayIndex } from '../../../lib/invoices/day-index.ts';
import { fromDayIndex, toDayIndex } from '../../../lib/tables/day-index-table.ts';
import { itemBytes, MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/item-size.ts';

const scope = { tenant: 't'.repeat(253), supplierId: '9'.repeat(20) };
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    position: positionOf({ sortDate: '2026-03-01T00:00:00.000Z', invoiceId: `${at}` }),
    state: 'PEN' as const,
    text: `ñ${randomBytes(150).toString('hex')}\n\n\n${at}`,
  }));
const index = makeDayIndex(entries(4000));
const stored = () => fromDayIndex(scope, '2026-03-01', index, 1_800_000_000);

describe('the stored index of a day', () => {
  it('is in as many parts as it takes, each of which fits an item, and comes back from them in any order', () => {
    const parts = stored();
    expect(parts.length).toBeGreaterThan(1);
    for (const { data, ...part } of parts)
      expect(itemBytes(part) + 'data'.length + data.length).toBeLessThanOrEqual(MAX_ITEM_BYTES);
    expect(toDayIndex(parts.toReversed())).toEqual(index);
  });

  it('is none when a part is missing, of another copy, or of another format', () => {
    const [first, ...others] = stored();
    const [otherFirst] = stored();
    if (!first || !otherFirst) throw new Error('There are parts.');
    for (const heads of [[], [otherFirst], [{ ...first, format: '2' }]])
      expect(toDayIndex([...heads, ...others])).toBeNull();
    expect(toDayIndex([])).toBeNull();
  });
});
