import { describe, expect, it } from 'vitest';
import { FrequentReasons } from '../../../infra/ops/invoices/frequent-reasons.ts';

/** The reasons of some records, counted. */
function counted(...records: readonly string[][]): FrequentReasons {
  const reasons = new FrequentReasons();
  for (const record of records) reasons.add(record);
  return reasons;
}

describe('the most frequent reasons of rejected records', () => {
  it('are counted by record, and the first ones are those with most', () => {
    const reasons = counted(['b'], ['a', 'b'], ['b', 'c', 'c'], ['a'], ['d']);
    expect(reasons.top(3)).toEqual([
      { reason: 'b', records: 3 },
      { reason: 'a', records: 2 },
      { reason: 'c', records: 1 },
    ]);
  });

  it('are one where they differ in numbers only, which are left out then, and only those', () => {
    const date = 'invoice_date: has no year first: --day-first reads 24/08/2026';
    const supplier = (id: string) => `supplier_id: there is no supplier ${id} in t2.example`;
    const bytes = (byte: string, line: number) => `record: is not UTF-8: byte ${byte} at line ${line}, column 4`;
    const reasons = counted(
      ...['7', '404', '405'].map((id) => [supplier(id)]),
      ...[bytes('0xF1', 2), bytes('0xE9', 17)].map((reason) => [reason, date]),
      ['concepts[0].total: x', 'concepts[1].total: x'],
    );
    expect(reasons.top(9)).toEqual([
      { reason: 'supplier_id: there is no supplier … in t2.example', records: 3 },
      { reason: 'record: is not UTF-8: byte … at line …, column 4', records: 2 },
      { reason: date, records: 2 },
      { reason: 'concepts[…].total: x', records: 1 },
    ]);
  });

  it('need no more memory for names that a file makes up, of any number and length', () => {
    const letters = (at: number) => at.toString(2).replaceAll('0', 'o').replaceAll('1', 'i');
    const names = Array.from({ length: 2000 }, (_, at) => letters(at) + 'x'.repeat(at));
    const top = counted(['known'], ...names.map((name) => [`${name}: is not a known property`]), ['known']).top(5000);
    expect(top).toContainEqual({ reason: 'known', records: 2 });
    expect(top).toHaveLength(1000);
    expect(Math.max(...top.map(({ reason }) => reason.length))).toBe(200);
  });
});
