import type { SupplierScope } from '../domain/invoice.ts';
import type { ByteCache } from '../runtime/byte-cache.ts';
import { inLanes } from '../runtime/in-lanes.ts';
import { bytesOf, type DayIndex, makeDayIndex } from './day-index.ts';
import type { CountedDay, InvoiceRows } from './invoice-rows.ts';

/** Where processes leave indexes for each other; it may forget, and it may fail. */
export interface DayIndexStore {
  /** The indexes of those of the days (yyyy-mm-dd) that have one. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}

/** The indexes of days. */
export interface DayIndexes {
  /** The index of a day that this process remembers, if it is exact. */
  readonly remembered: (scope: SupplierScope, day: CountedDay) => DayIndex | undefined;
  /**
   * An index of each day, by day: remembered, or left by another process, or else of the rows as they are now. The last
   * is exact unless they changed since the day was counted (see isExact).
   */
  readonly read: (scope: SupplierScope, days: readonly CountedDay[]) => Promise<Map<string, DayIndex>>;
}

/** The fewest rows of a day for which an index pays. */
export const INDEXED_ROWS = 50;

const PARALLEL_READS = 8;

/** Whether an index holds the very entries that were counted. */
export function isExact(index: DayIndex | undefined, day: CountedDay): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** The indexes that a process remembers, or finds in the store, or makes. */
export function createDayIndexes(
  rows: Pick<InvoiceRows, 'entries'>,
  store: DayIndexStore,
  memory: ByteCache<DayIndex>,
): DayIndexes {
  const keyOf = ({ tenant, supplierId }: SupplierScope, day: string) => `${tenant}#${supplierId}#${day}`;
  const remember = (scope: SupplierScope, { day }: CountedDay, index: DayIndex) =>
    memory.set(keyOf(scope, day), index, bytesOf(index));

  function remembered(scope: SupplierScope, day: CountedDay): DayIndex | undefined {
    const index = memory.get(keyOf(scope, day.day));
    return isExact(index, day) ? index : undefined;
  }

  async function make(scope: SupplierScope, day: CountedDay): Promise<DayIndex> {
    const index = makeDayIndex(await rows.entries(scope, day));
    if (isExact(index, day)) {
      remember(scope, day, index);
      // Without it, another process reads the day itself.
      await store.write(scope, day.day, index).catch(() => undefined);
    }
    return index;
  }

  return {
    remembered,
    async read(scope, days) {
      const indexes = new Map<string, DayIndex>();
      const unknown = days.filter((day) => {
        const index = remembered(scope, day);
        if (index) indexes.set(day.day, index);
        return !index;
      });
      if (unknown.length === 0) return indexes;
      const stored = await store
        .read(
          scope,
          unknown.map(({ day }) => day),
        )
        .catch(() => new Map<string, DayIndex>());
      await inLanes(unknown, PARALLEL_READS, async (day) => {
        const index = stored.get(day.day);
        if (isExact(index, day)) remember(scope, day, index);
        indexes.set(day.day, isExact(index, day) ? index : await make(scope, day));
      });
      return indexes;
    },
  };
}
