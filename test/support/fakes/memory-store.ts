import type fc from 'fast-check';
import type { Commit } from '../../../infra/ops/tables/command-transaction.ts';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { DeclarationStore } from '../../../lib/invoices/declare-amounts.ts';
import type { SendOutcome } from '../../../lib/invoices/transactions.ts';
import { attempts as retryAttempts } from '../../../lib/runtime/attempts.ts';

/**
 * The faults of an attempt to send a transaction. `conflict`: another writer is faster. `reject`: the store rejects the
 * content. `lose-call`, `lose-response`: the attempt is lost before or after the write, and must be sent again. `fail`,
 * `fail-after-write`, `fail-before-write`: the outcome stays unknown. The transaction is never written, is already
 * written, or is written by `writeLate`.
 */
export const SEND_FAULTS = [
  ...(['conflict', 'reject', 'lose-call', 'lose-response'] as const),
  ...(['fail', 'fail-after-write', 'fail-before-write'] as const),
] as const;

export type SendFault = (typeof SEND_FAULTS)[number];

/** A function that runs before each attempt, and can return a fault. */
export type SendHook = (changes: readonly InvoiceChange[]) => Promise<SendFault | undefined> | SendFault | undefined;

type ToCurrent = (invoice: Invoice) => Invoice | null;

const toVisible: ToCurrent = (invoice) => (invoice.isWithdrawn ? null : invoice);

/** Creates a store of invoices in memory. */
export function createMemoryStore(invoices: readonly Invoice[], beforeSend: SendHook = () => undefined) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: InvoiceChange[][] = [];
  const lateWrites: (() => unknown)[] = [];
  let attempts = 0;

  /** Writes all changes, unless an invoice has another version than the one that was read. */
  function write(changes: readonly InvoiceChange[], toCurrent: ToCurrent): SendOutcome {
    const outdated = changes.filter(({ before, after }) => stored.get(after.invoiceId)?.version !== before?.version);
    if (outdated.length > 0) {
      const current = outdated.map(({ after: { invoiceId } }) => {
        const invoice = stored.get(invoiceId);
        return [invoiceId, invoice ? toCurrent(invoice) : null] as const;
      });
      return { kind: 'replan', current: new Map(current) };
    }
    for (const { after } of changes) stored.set(after.invoiceId, after);
    written.push([...changes]);
    return { kind: 'committed' };
  }

  /** Sends a transaction until its outcome is known. */
  async function send(changes: readonly InvoiceChange[], toCurrent: ToCurrent): Promise<SendOutcome> {
    const unknown: SendOutcome = { kind: 'unknown', cause: new Error('socket hang up') };
    let [isWritten, isLost] = [false, false];
    // As with the token of DynamoDB, an attempt after the write confirms it.
    const writeOnce = () => {
      const outcome: SendOutcome = isWritten ? { kind: 'committed' } : write(changes, toCurrent);
      isWritten = outcome.kind === 'committed';
      return outcome;
    };
    for await (const _ of retryAttempts()) {
      attempts += 1;
      const fault = await beforeSend(changes);
      if (fault === undefined) return writeOnce();
      if (fault === 'reject') return isWritten ? writeOnce() : { kind: 'reject', cause: new Error('rejected') };
      if (fault === 'conflict' && !isLost) return { kind: 'replan', current: new Map() };
      if (fault === 'lose-response' || fault === 'fail-after-write') writeOnce();
      if (fault === 'fail-before-write') lateWrites.push(writeOnce);
      if (fault.startsWith('fail')) return unknown;
      isLost = true;
    }
    return unknown;
  }

  const store: DeclarationStore = {
    getMany: async () => new Map([...stored].filter(([, invoice]) => toVisible(invoice))),
    commit: (_scope, changes) => send(changes, toVisible),
    computeCost: () => ({ writes: 2, bytes: 1 }),
    limits: { writes: 100, bytes: 1_000 },
  };
  const commit: Commit = async (_scope, changes) => {
    const outcome = await send(changes, (invoice) => invoice);
    if (outcome.kind === 'unknown') throw outcome.cause;
    return outcome;
  };
  return {
    /** The store of declarations, which omits withdrawn invoices. */
    store,
    /** Writes the changes of a command. */
    commit,
    stored,
    /** The changes of each committed transaction, oldest first. */
    written,
    /** Returns the number of attempts to send a transaction. */
    attempts: () => attempts,
    /** Makes the writes of transactions whose outcome is unknown and which are not yet written. */
    writeLate: () => lateWrites.splice(0).forEach((writeOnce) => writeOnce()),
  };
}

/** Creates a store in memory. The scheduler of a property decides the order of its reads and attempts. */
export function createScheduledStore(scheduler: fc.Scheduler, invoices: readonly Invoice[]) {
  const takeTurn = (call: string) => scheduler.schedule(Promise.resolve(), call);
  const memory = createMemoryStore(invoices, () => takeTurn('send').then(() => undefined));
  const { store, stored } = memory;
  return {
    ...memory,
    store: {
      ...store,
      getMany: (...keys: Parameters<typeof store.getMany>) => takeTurn('read').then(() => store.getMany(...keys)),
    },
    /** The invoices as commands read them, also withdrawn ones. */
    invoices: {
      getMany: () => takeTurn('read').then(() => new Map(stored)),
      findZeroVariants: async () => new Map<string, string>(),
    },
  };
}
