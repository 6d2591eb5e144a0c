import { getWholeDay } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type ListEntry, toListEntry, buildPosition } from '../../../lib/domain/list-entry.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import type { DayIndex, DayIndexStore, InvoiceRows, RowSelection } from '../../../lib/invoices/invoice-lists.ts';

/** A function that makes one part of a write visible to readers. */
export type VisibleStep = () => void;

/** A function that every call awaits before it reads. */
export type Turn = (call: string) => Promise<void>;

/** Creates the rows and day counters of one supplier in memory. Each call reads a consistent state. */
export function createMemoryRows(invoices: readonly Invoice[], waitForTurn: Turn) {
  const rows = new Map<string, Invoice>();
  // The invoices that the counters include.
  const counted = new Map<string, Invoice>();

  /** Builds the steps in which a change becomes visible. `before` is null for a new invoice. */
  function buildSteps(before: Invoice | null, after: Invoice): VisibleStep[] {
    const isMoved = before && buildPosition(before) !== buildPosition(after);
    return [
      () => {
        if (before) counted.delete(buildPosition(before));
        counted.set(buildPosition(after), after);
      },
      () => void rows.set(buildPosition(after), after),
      ...(isMoved ? [() => void rows.delete(buildPosition(before))] : []),
    ];
  }

  function selectRows({ range, state }: RowSelection): Invoice[] {
    return [...rows.values()]
      .filter((invoice) => Date.parse(invoice.sortDate) >= range.startMs && Date.parse(invoice.sortDate) <= range.endMs)
      .filter((invoice) => !state || invoice.state === state)
      .toSorted((a, b) => (buildPosition(a) < buildPosition(b) ? 1 : -1));
  }

  const port: InvoiceRows = {
    async readDayCounts({ range, state }) {
      await waitForTurn('the counters');
      return [...Map.groupBy(counted.values(), ({ sortDate }) => sortDate.slice(0, 10))].flatMap(([day, all]) => {
        const dayRange = getWholeDay(Date.parse(day));
        if (dayRange.startMs < range.startMs || dayRange.endMs > range.endMs) return [];
        const count = all.filter((invoice) => !state || invoice.state === state).length;
        const { fingerprint } = buildDayIndex(all.map(toListEntry));
        return [{ day, range: dayRange, count, countInAll: all.length, fingerprint }];
      });
    },
    async count(selection) {
      await waitForTurn('a count');
      return selectRows(selection).length;
    },
    async read(selection, limit) {
      await waitForTurn('rows');
      return selectRows(selection).slice(0, limit);
    },
    async search(selection, text) {
      await waitForTurn('a search');
      return selectRows(selection).filter((invoice) => toListEntry(invoice).text.includes(text));
    },
    async readEntries(scope, range): Promise<ListEntry[]> {
      await waitForTurn('the entries of a day');
      return selectRows({ scope, range, state: null }).map(toListEntry);
    },
    async readAt(_scope, positions) {
      await waitForTurn('rows at positions');
      return new Map(
        positions.flatMap((position) => {
          const row = rows.get(position);
          return row ? [[position, { row, text: toListEntry(row).text }]] : [];
        }),
      );
    },
  };

  for (const invoice of invoices) for (const step of buildSteps(null, invoice)) step();
  return { port, buildSteps };
}

/** Creates a store of day indexes in memory, which processes share. */
export function createMemoryIndexes(waitForTurn: Turn): DayIndexStore {
  const indexes = new Map<string, DayIndex>();
  return {
    async read(_, days) {
      await waitForTurn('stored indexes');
      return new Map([...indexes].filter(([day]) => days.includes(day)));
    },
    async write(_, day, index) {
      await waitForTurn('the write of an index');
      indexes.set(day, index);
    },
  };
}
