import type fc from 'fast-check';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';

/** Creates a store in memory. The scheduler of a property decides the order of its reads and commits. */
export function createScheduledStore(scheduler: fc.Scheduler, invoices: readonly Invoice[]) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: InvoiceChange[] = [];
  const scheduleCall = <Result>(call: string, work: () => Result) =>
    scheduler.schedule(Promise.resolve(), call).then(work);
  return {
    /** All committed changes, oldest first. */
    written,
    getMany: () => scheduleCall('read', () => new Map(stored)),
    writer: {
      commit: (_: unknown, changes: readonly InvoiceChange[]) =>
        scheduleCall('commit', () => {
          const isFresh = ({ before, after }: InvoiceChange) =>
            stored.get(after.invoiceId)?.version === before?.version;
          if (!changes.every(isFresh)) return { kind: 'conflict' as const, current: [...stored.values()] };
          for (const change of changes) stored.set(change.after.invoiceId, change.after);
          written.push(...changes);
          return { kind: 'committed' as const };
        }),
      computeCost: () => ({ writes: 1, bytes: 1, shared: [] }),
      limits: { writes: 100, bytes: 1000, sharedBytes: 1 },
    },
  };
}
