import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { DeclarationStore, DeclarationChange } from '../../../lib/invoices/declare-amounts.ts';

/** A function that runs before each commit. It can throw, or return 'conflict' to reject the commit. */
export type CommitHook = (changes: readonly DeclarationChange[]) => Promise<void> | 'conflict' | undefined;

/** Creates a declaration store in memory. */
export function createMemoryStore(invoices: readonly Invoice[], beforeCommit: CommitHook, bytesEach = 1) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: DeclarationChange[][] = [];
  const shards: number[] = [];
  let nextLoss: { isWritten: boolean } | undefined;
  const store: DeclarationStore = {
    getMany: async () => new Map(stored),
    async commit(_scope, changes, shard) {
      shards.push(shard);
      if ((await beforeCommit(changes)) === 'conflict') return { kind: 'conflict', current: [] };
      const outdated = changes.filter(({ before }) => stored.get(before.invoiceId)?.version !== before.version);
      if (outdated.length > 0) {
        return { kind: 'conflict', current: outdated.flatMap(({ before }) => stored.get(before.invoiceId) ?? []) };
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
    computeCost: (_scope, { revisions }) => ({
      writes: 4 + revisions.length,
      bytes: bytesEach,
      shared: ['2026-03', 'r'],
    }),
    limits: { writes: 100, bytes: 1_000, sharedBytes: 10 },
  };
  return {
    store,
    stored,
    written,
    /** The shards of all attempted transactions. */
    shards,
    attempts: () => shards.length,
    /** Makes the next transaction fail like a lost response. `isWritten`: the transaction is saved before. */
    loseNextResponse: (isWritten = true) => void (nextLoss = { isWritten }),
  };
}
