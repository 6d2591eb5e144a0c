import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeclarationContext } from '../../lib/domain/declaration.ts';
import { NothingWritten } from '../../lib/domain/errors.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { declareBatch, type DeclarationStore } from '../../lib/usecases/declare-batch.ts';
import type { DeclarationChange } from '../../lib/usecases/plan-declarations.ts';
import { anInvoice } from '../support/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const context: DeclarationContext = {
  tolerance: { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' },
  userId: '1',
  requestId: 'r',
  now: new Date(0),
  newDeclarationId: () => '1',
};

type Obstacle = (changes: readonly DeclarationChange[]) => Promise<void> | 'lost' | undefined;

/** A store in memory; the obstacle sees every transaction first: it may fail it, or let it lose a race. */
function aStore(invoices: readonly Invoice[], obstacle: Obstacle, bytesEach = 1) {
  const stored = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]));
  const written: DeclarationChange[][] = [];
  let attempts = 0;
  const store: DeclarationStore = {
    getMany: async () => new Map(stored),
    async commit(_scope, changes) {
      attempts += 1;
      if ((await obstacle(changes)) === 'lost') return { committed: false, current: [] };
      const changed = changes.filter(({ before }) => stored.get(before.invoiceId)?.version !== before.version);
      if (changed.length > 0) {
        return { committed: false, current: changed.flatMap(({ before }) => stored.get(before.invoiceId) ?? []) };
      }
      for (const { after } of changes) stored.set(after.invoiceId, after);
      written.push([...changes]);
      return { committed: true };
    },
    costOf: (_scope, { revisions }) => ({ writes: 1 + revisions.length, bytes: bytesEach, months: ['2026-03'] }),
    limits: { writes: 100, bytes: 1_000, monthBytes: 10 },
  };
  return { store, stored, written, attempts: () => attempts };
}

const invoicesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => anInvoice({ invoiceId: `${index + 1}` }));
const requestsFor = (invoices: readonly Invoice[]) =>
  invoices.map(({ invoiceId }, index) => ({ invoiceId, amount: index + 1 }));
const messagesOf = (results: Awaited<ReturnType<typeof declareBatch>>) =>
  results.map((result) => (result.declared ? 'declared' : result.error.message));

describe('a batch of declarations', () => {
  it('loses only what the store refuses, wherever it stands [declare-batch/rule-1]', async () => {
    const property = fc.asyncProperty(
      fc
        .integer({ min: 1, max: 100 })
        .chain((count) =>
          fc.tuple(fc.constant(count), fc.uniqueArray(fc.integer({ min: 1, max: count }), { maxLength: 3 })),
        ),
      async ([count, culprits]) => {
        const invoices = invoicesOf(count);
        const isCulprit = ({ before }: DeclarationChange) => culprits.includes(Number(before.invoiceId));
        const { store, attempts } = aStore(invoices, (changes) =>
          changes.some(isCulprit) ? Promise.reject(new NothingWritten(new Error('refused'))) : undefined,
        );
        const results = await declareBatch(store, scope, requestsFor(invoices), context);
        expect(messagesOf(results)).toEqual(
          invoices.map(({ invoiceId }) =>
            culprits.includes(Number(invoiceId)) ? 'The declaration could not be written.' : 'declared',
          ),
        );
        // Halving: for each culprit twice as many as there are halvings of 27 items, and the transactions themselves.
        expect(attempts()).toBeLessThanOrEqual(Math.ceil(count / 25) + culprits.length * 2 * 5);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('loses only the one declaration of an invoice that the store refuses, and keeps the order of the others', async () => {
    const [invoice = anInvoice()] = invoicesOf(1);
    const { store, stored } = aStore([invoice], (changes) =>
      changes.some(({ revisions }) => revisions.some(({ amount }) => amount.eq(3)))
        ? Promise.reject(new NothingWritten(new Error('refused')))
        : undefined,
    );
    const requests = [1, 2, 3, 4, 5].map((amount) => ({ invoiceId: invoice.invoiceId, amount }));
    const results = await declareBatch(store, scope, requests, context);
    expect(results.map((result) => (result.declared ? result.revision.revision : 'refused'))).toEqual([
      1,
      2,
      'refused',
      3,
      4,
    ]);
    expect(stored.get(invoice.invoiceId)?.declaration).toMatchObject({ revision: 4 });
  });

  it('does not let an invoice that loses every race hold up the others', async () => {
    const invoices = invoicesOf(25);
    let contested = 0;
    const { store } = aStore(invoices, (changes) => {
      const isContested = changes.some(({ before }) => before.invoiceId === '7');
      // It is free again after a while.
      return isContested && contested++ < 8 ? 'lost' : undefined;
    });
    const results = await declareBatch(store, scope, requestsFor(invoices), context);
    expect(messagesOf(results)).toEqual(invoices.map(() => 'declared'));
  });

  it('says of a whole transaction that its outcome is not known, and does not try it again, when its answer is lost', async () => {
    const invoices = invoicesOf(60);
    const { store, attempts } = aStore(invoices, (changes) =>
      changes.some(({ before }) => before.invoiceId === '1') ? Promise.reject(new Error('socket hang up')) : undefined,
    );
    const messages = messagesOf(await declareBatch(store, scope, requestsFor(invoices), context));
    const unknown = messages.filter((message) => message !== 'declared');
    expect(new Set(unknown)).toEqual(new Set(['The outcome is not known; declare again: it does no harm.']));
    expect(messages.indexOf('declared')).toBe(unknown.length);
    expect(attempts()).toBe(3);
  });

  it('puts no more into a transaction than it can hold', async () => {
    const invoices = invoicesOf(12);
    const { store, written } = aStore(invoices, () => undefined, 300);
    await declareBatch(store, scope, requestsFor(invoices), context);
    expect(written.map((changes) => changes.length)).toEqual([3, 3, 3, 3]);
  });
});
