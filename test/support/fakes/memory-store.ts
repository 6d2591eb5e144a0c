import type fc from 'fast-check';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { CommitOutcome, InvoiceChange } from '../../../lib/invoices/transactions.ts';

/** A function that runs before each commit. It can throw, or return 'conflict' to reject the commit. */
export type CommitHook = (changes: readonly InvoiceChange[]) => Promise<void> | 'conflict' | undefined;

/** Creates a declaration store in memory. */
export function createMemoryStore(invoices: readonly Invoice[], beforeCommit: CommitHook) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: InvoiceChange[][] = [];
  let attempts = 0;
  let nextLoss: { isWritten: boolean } | undefined;
  const store = {
    getMany: async () => new Map(stored),
    getWithdrawn: async () => new Map<string, Invoice>(),
    commit: async (_scope: unknown, changes: readonly InvoiceChange[]): Promise<CommitOutcome> => {
      attempts++;
      if ((await beforeCommit(changes)) === 'conflict') return { kind: 'conflict', current: new Map() };
      const outdated = changes.filter(({ before, after }) => stored.get(after.invoiceId)?.version !== before?.version);
      if (outdated.length > 0) {
        const current = outdated.map(({ after: { invoiceId } }) => [invoiceId, stored.get(invoiceId) ?? null] as const);
        return { kind: 'conflict', current: new Map(current) };
      }
      const loss = nextLoss;
      nextLoss = undefined;
      if (loss?.isWritten ?? true) {
        for (const { after } of changes) stored.set(after.invoiceId, after);
        written.push([...changes]);
      }
      if (loss) throw new Error('socket hang up');
      return { kind: 'committed' };
    },
    computeCost: (_scope: unknown, { revisions }: InvoiceChange) => ({
      writes: 4 + revisions.length,
      bytes: 1,
      sharedWrites: ['2026-03', 'r'],
    }),
    limits: { writes: 100, bytes: 1_000, sharedBytes: 10 },
  };
  return {
    store,
    stored,
    /** The changes of each committed transaction, oldest first. */
    written,
    /** Returns the number of commits that were attempted. */
    attempts: () => attempts,
    /** Makes the next transaction fail like a lost response. `isWritten`: the transaction is saved before. */
    loseNextResponse: (isWritten = true) => void (nextLoss = { isWritten }),
  };
}

/** Creates a declaration store in memory. The scheduler of a property decides the order of its reads and commits. */
export function createScheduledStore(scheduler: fc.Scheduler, invoices: readonly Invoice[]) {
  const takeTurn = (call: string) => scheduler.schedule(Promise.resolve(), call);
  const { store, written } = createMemoryStore(invoices, () => takeTurn('commit'));
  return { written, store: { ...store, getMany: () => takeTurn('read').then(store.getMany) } };
}
