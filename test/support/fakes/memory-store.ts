import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { DeclarationStore, DeclarationChange } from '../../../lib/invoices/declare-amounts.ts';

/** What happens to a transaction before it is written. */
export type Obstacle = (changes: readonly DeclarationChange[]) => Promise<void> | 'lost' | undefined;

/** A store in memory; the obstacle sees every transaction first: it may fail it, or let it lose a race. */
export function aStore(invoices: readonly Invoice[], obstacle: Obstacle, bytesEach = 1) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: DeclarationChange[][] = [];
  const shards: number[] = [];
  let lost: { isWritten: boolean } | undefined;
  const store: DeclarationStore = {
    getMany: async () => new Map(stored),
    async commit(_scope, changes, shard) {
      shards.push(shard);
      if ((await obstacle(changes)) === 'lost') return { kind: 'conflict', current: [] };
      const changed = changes.filter(({ before }) => stored.get(before.invoiceId)?.version !== before.version);
      if (changed.length > 0) {
        return { kind: 'conflict', current: changed.flatMap(({ before }) => stored.get(before.invoiceId) ?? []) };
      }
      const answerLost = lost;
      lost = undefined;
      if (answerLost?.isWritten ?? true) {
        for (const { after } of changes) stored.set(after.invoiceId, after);
        written.push([...changes]);
      }
      if (answerLost) throw new Error('socket hang up');
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
    /** The shards of all transactions that were tried, and how many these were. */
    shards,
    attempts: () => shards.length,
    /** Loses the answer to the next transaction, which is written or not. */
    lose: (isWritten = true) => void (lost = { isWritten }),
  };
}
