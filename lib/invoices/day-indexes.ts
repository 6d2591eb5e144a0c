import type { SupplierScope } from '../domain/invoice.ts';
import type { LruCache } from '../runtime/lru-cache.ts';
import { forEachConcurrent } from '../runtime/for-each-concurrent.ts';
import { estimateBytes, type DayIndex, isCurrentIndex, makeDayIndex } from './day-index.ts';
import type { CountedDay, DayIndexes, DayIndexStore, InvoiceRows } from './invoice-lists.ts';

const PARALLEL_READS = 8;

/** Creates the reader of indexes: from the memory of the process, from the store, or from the rows. */
export function createDayIndexes(
  rows: Pick<InvoiceRows, 'entries'>,
  store: DayIndexStore,
  memory: LruCache<DayIndex>,
): DayIndexes {
  const keyOf = ({ tenant, supplierId }: SupplierScope, day: string) => `${tenant}#${supplierId}#${day}`;
  const remember = (scope: SupplierScope, { day }: CountedDay, index: DayIndex) =>
    memory.set(keyOf(scope, day), index, estimateBytes(index));

  function remembered(scope: SupplierScope, day: CountedDay): DayIndex | undefined {
    const index = memory.get(keyOf(scope, day.day));
    return isCurrentIndex(index, day) ? index : undefined;
  }

  async function make(scope: SupplierScope, day: CountedDay): Promise<DayIndex> {
    const index = makeDayIndex(await rows.entries(scope, day.range));
    if (isCurrentIndex(index, day)) {
      remember(scope, day, index);
      // If the write fails, other processes read the rows of the day themselves.
      await store.write(scope, day.day, index).catch(() => undefined);
    }
    return index;
  }

  return {
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
      await forEachConcurrent(unknown, PARALLEL_READS, async (day) => {
        const index = stored.get(day.day);
        if (isCurrentIndex(index, day)) remember(scope, day, index);
        indexes.set(day.day, isCurrentIndex(index, day) ? index : await make(scope, day));
      });
      return indexes;
    },
  };
}
