import type fc from 'fast-check';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';

/** A store in memory whose reads and commits take place in the order that the scheduler of a property chooses. */
export function scheduledStore(scheduler: fc.Scheduler, invoices: readonly Invoice[]) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: InvoiceChange[] = [];
  const turn = <Result>(call: string, work: () => Result) => scheduler.schedule(Promise.resolve(), call).then(work);
  return {
    /** All changes that were committed, in their order. */
    written,
    getMany: () => turn('read', () => new Map(stored)),
    writer: {
      commit: (_: unknown, changes: readonly InvoiceChange[]) =>
        turn('commit', () => {
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
