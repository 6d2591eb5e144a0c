import { expect } from 'vitest';
import { selectDay } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type ListEntry, toListEntry, buildPosition } from '../../../lib/domain/list-entry.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import type { DayIndex, DayIndexStore, InvoiceRows, RowSelection } from '../../../lib/invoices/invoice-lists.ts';

/** A function that makes one part of a write visible to readers. */
export type VisibleStep = () => void;

/** A function that every call awaits before it reads. */
export type Turn = (call: string) => Promise<void>;

/** The number of rows that a query in memory can read. It is small, so that a few invoices need indexes. */
export const MAX_QUERIED_ROWS = 60;

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
    maxQueriedRows: MAX_QUERIED_ROWS,
    async readDayCounts({ range, state }) {
      await waitForTurn('the counters');
      const countedByDay = Map.groupBy(counted.values(), ({ sortDate }) => sortDate.slice(0, 10));
      return [...countedByDay]
        .map(([day, all]) => ({
          day,
          range: selectDay(range, Date.parse(day)),
          count: all.filter((invoice) => !state || invoice.state === state).length,
          fingerprint: buildDayIndex(all.map(toListEntry)).fingerprint,
        }))
        .filter(({ range: { startMs, endMs }, count }) => startMs <= endMs && count > 0)
        .toSorted((one, other) => (one.day < other.day ? 1 : -1));
    },
    async count(selection) {
      await waitForTurn('a count');
      const { length } = selectRows(selection);
      return length > MAX_QUERIED_ROWS ? null : length;
    },
    async read(selection, limit, fromPosition = '~') {
      await waitForTurn('rows');
      expect(limit).toBeLessThanOrEqual(MAX_QUERIED_ROWS);
      return selectRows(selection)
        .filter((invoice) => buildPosition(invoice) <= fromPosition)
        .slice(0, limit);
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
      const found = positions.map((position) => rows.get(position)).filter((row) => row !== undefined);
      return found.map((row) => ({ row, entry: toListEntry(row) }));
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
