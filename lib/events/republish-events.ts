import type { EventType, InvoiceEvent } from '../contracts/events.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { HistoryItem } from '../storage/items/history-items.ts';
import { toEvent } from './history-records.ts';
import { type Failure, type Publication, publishRecords, type PutEvents } from './publish-records.ts';

/** The histories of invoices, and the bus to which their events are published. */
export interface RepublishPorts {
  readonly put: PutEvents;
  /** Reads the entries of a supplier that are published as events of a type, those of an invoice in order. */
  readonly entries: (scope: SupplierScope, type: EventType) => AsyncIterable<readonly HistoryItem[]>;
}

/** Which events are published again, and how they are reported. */
export interface Republication extends Pick<Publication<HistoryItem>, 'published' | 'skipped'> {
  readonly types: readonly EventType[];
  /** The range of the times of the entries. */
  readonly range: DateRange;
  /** Ends the publication after the current page. */
  readonly stop: AbortSignal;
}

/**
 * Publishes events of a supplier again, with their original ids and, for each type, those of an invoice in order.
 * Returns the first entry that the bus does not accept, or null.
 */
export async function republishEvents(
  { put, entries }: RepublishPorts,
  scope: SupplierScope,
  { types, range, stop, ...reports }: Republication,
): Promise<Failure<HistoryItem> | null> {
  const toWantedEvent = (item: HistoryItem): InvoiceEvent | undefined => {
    const event = toEvent(item);
    const ms = Date.parse(event?.time ?? '');
    return ms >= range.startMs && ms <= range.endMs ? event : undefined;
  };
  for (const type of types) {
    for await (const page of entries(scope, type)) {
      if (stop.aborted) return null;
      const failure = await publishRecords(page, { put, toEvent: toWantedEvent, ...reports });
      if (failure) return failure;
    }
  }
  return null;
}
