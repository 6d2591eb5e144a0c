import { wholeDay } from '../../../lib/domain/date-range.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type ListEntry, listEntryOf, positionOf } from '../../../lib/domain/list-entry.ts';
import { buildDayIndex } from '../../../lib/invoices/day-indexes.ts';
import type { DayIndex, DayIndexStore, InvoiceRows, RowSelection } from '../../../lib/invoices/invoice-lists.ts';

/** A part of a write: as soon as it is run, readers see it. */
export type VisibleStep = () => void;

/** What every call waits for before it reads. */
export type Turn = (call: string) => Promise<void>;

/** Rows and day counters in memory, for one supplier, which each call reads at one moment. */
export function memoryRows(invoices: readonly Invoice[], turn: Turn) {
  const rows = new Map<string, Invoice>();
  // The invoices that the counters count.
  const counted = new Map<string, Invoice>();

  /** The steps in which the change of an invoice (null: there is none yet) becomes visible. */
  function stepsOf(before: Invoice | null, after: Invoice): VisibleStep[] {
    const leaves = before && positionOf(before) !== positionOf(after);
    return [
      () => {
        if (before) counted.delete(positionOf(before));
        counted.set(positionOf(after), after);
      },
      () => void rows.set(positionOf(after), after),
      ...(leaves ? [() => void rows.delete(positionOf(before))] : []),
    ];
  }

  function selected({ range, state }: RowSelection): Invoice[] {
    return [...rows.values()]
      .filter((invoice) => Date.parse(invoice.sortDate) >= range.startMs && Date.parse(invoice.sortDate) <= range.endMs)
      .filter((invoice) => !state || invoice.state === state)
      .toSorted((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  }

  const port: InvoiceRows = {
    async readDayCounts({ range, state }) {
      await turn('the counters');
      return [...Map.groupBy(counted.values(), ({ sortDate }) => sortDate.slice(0, 10))].flatMap(([day, all]) => {
        const whole = wholeDay(Date.parse(day));
        if (whole.startMs < range.startMs || whole.endMs > range.endMs) return [];
        const count = all.filter((invoice) => !state || invoice.state === state).length;
        const { fingerprint } = buildDayIndex(all.map(listEntryOf));
        return [{ day, range: whole, count, countInAll: all.length, fingerprint }];
      });
    },
    async count(selection) {
      await turn('a count');
      return selected(selection).length;
    },
    async read(selection, most) {
      await turn('rows');
      return selected(selection).slice(0, most);
    },
    async search(selection, text) {
      await turn('a search');
      return selected(selection).filter((invoice) => listEntryOf(invoice).text.includes(text));
    },
    async readEntries(scope, range): Promise<ListEntry[]> {
      await turn('the entries of a day');
      return selected({ scope, range, state: null }).map(listEntryOf);
    },
    async readAt(_scope, positions) {
      await turn('rows at positions');
      return new Map(
        positions.flatMap((position) => {
          const row = rows.get(position);
          return row ? [[position, { row, text: listEntryOf(row).text }]] : [];
        }),
      );
    },
  };

  for (const invoice of invoices) for (const step of stepsOf(null, invoice)) step();
  return { port, stepsOf };
}

/** The indexes that processes leave each other, in memory. */
export function memoryIndexes(turn: Turn): DayIndexStore {
  const left = new Map<string, DayIndex>();
  return {
    async read(_, days) {
      await turn('left indexes');
      return new Map([...left].filter(([day]) => days.includes(day)));
    },
    async write(_, day, index) {
      await turn('an index to leave');
      left.set(day, index);
    },
  };
}
