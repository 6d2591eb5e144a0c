import { wholeDay } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type ListEntry, listEntryOf, positionOf } from '../../../lib/domain/list-entry.ts';
import { makeDayIndex } from '../../../lib/invoices/day-indexes.ts';
import type { DayIndex, DayIndexStore, InvoiceRows, RowSelection } from '../../../lib/invoices/invoice-lists.ts';

/** A part of a write: as soon as it is run, readers see it. */
export type VisibleStep = () => void;

/** What every call waits for before it reads. */
export type Turn = (call: string) => Promise<void>;

/** Rows and day counters in memory, for one supplier, which each call reads at one moment. */
export function createMemoryRows(invoices: readonly Invoice[], waitForTurn: Turn) {
  const rows = new Map<string, Invoice>();
  // The invoices that the counters count.
  const counted = new Map<string, Invoice>();

  /** The steps in which the change of an invoice (null: there is none yet) becomes visible. */
  function buildSteps(before: Invoice | null, after: Invoice): VisibleStep[] {
    const isMoved = before && positionOf(before) !== positionOf(after);
    return [
      () => {
        if (before) counted.delete(positionOf(before));
        counted.set(positionOf(after), after);
      },
      () => void rows.set(positionOf(after), after),
      ...(isMoved ? [() => void rows.delete(positionOf(before))] : []),
    ];
  }

  function selectRows({ range, state }: RowSelection): Invoice[] {
    return [...rows.values()]
      .filter((invoice) => Date.parse(invoice.sortDate) >= range.startMs && Date.parse(invoice.sortDate) <= range.endMs)
      .filter((invoice) => !state || invoice.state === state)
      .toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  }

  const port: InvoiceRows = {
    async dayCounts({ range, state }) {
      await waitForTurn('the counters');
      return [...Map.groupBy(counted.values(), ({ sortDate }) => sortDate.slice(0, 10))].flatMap(([day, all]) => {
        const whole = wholeDay(Date.parse(day));
        if (whole.startMs < range.startMs || whole.endMs > range.endMs) return [];
        const count = all.filter((invoice) => !state || invoice.state === state).length;
        const { fingerprint } = makeDayIndex(all.map(listEntryOf));
        return [{ day, range: whole, count, countInAll: all.length, fingerprint }];
      });
    },
    async count(selection) {
      await waitForTurn('a count');
      return selectRows(selection).length;
    },
    async read(selection, most) {
      await waitForTurn('rows');
      return selectRows(selection).slice(0, most);
    },
    async search(selection, text) {
      await waitForTurn('a search');
      return selectRows(selection).filter((invoice) => listEntryOf(invoice).text.includes(text));
    },
    async entries(scope, range): Promise<ListEntry[]> {
      await waitForTurn('the entries of a day');
      return selectRows({ scope, range, state: null }).map(listEntryOf);
    },
    async at(_scope, positions) {
      await waitForTurn('rows at positions');
      return new Map(
        positions.flatMap((position) => {
          const row = rows.get(position);
          return row ? [[position, { row, text: listEntryOf(row).text }]] : [];
        }),
      );
    },
  };

  for (const invoice of invoices) for (const step of buildSteps(null, invoice)) step();
  return { port, buildSteps };
}

/** The indexes that processes leave each other, in memory. */
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
