import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WriteRejectedError } from '../../../lib/domain/errors.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { declareAmounts, type DeclarationChange } from '../../../lib/invoices/declare-amounts.ts';
import { aStore } from '../../support/fakes/memory-store.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const by = { userId: '1', requestId: 'r', now: new Date(0), newDeclarationId: () => '1' };
const context = { tolerance: effectiveTolerance(null, null), ...by };

const invoicesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => anInvoice({ invoiceId: `${index + 1}` }));
const requestsFor = (invoices: readonly Invoice[]) =>
  invoices.map(({ invoiceId }, index) => ({ invoiceId, amount: index + 1 }));
const messagesOf = (results: Awaited<ReturnType<typeof declareAmounts>>) =>
  results.map((result) => (result.kind === 'declared' ? 'declared' : result.error.message));
const rejectWrite = () => Promise.reject(new WriteRejectedError(new Error('refused')));
const idsOf = (written: readonly DeclarationChange[][]) =>
  written.map((changes) => changes.map(({ before }) => before.invoiceId));

const NOT_WRITTEN = 'The declaration could not be written.';
const UNKNOWN = 'The outcome is not known; declare again: it does no harm.';

describe('declareAmounts', () => {
  it('declares every invoice except those that the store rejects [declare-batch/rule-1]', async () => {
    const places = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), places, async (count, rejectedIds) => {
      const invoices = invoicesOf(count);
      const isRejected = ({ invoiceId }: Invoice) => rejectedIds.includes(Number(invoiceId));
      const { store, attempts } = aStore(invoices, (changes) =>
        changes.some(({ before }) => isRejected(before)) ? rejectWrite() : undefined,
      );
      const messages = messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context));
      expect(messages).toEqual(invoices.map((invoice) => (isRejected(invoice) ? NOT_WRITTEN : 'declared')));
      // The transactions themselves, and for each rejected item two halves of each of the 5 splits of 18 items.
      expect(attempts()).toBeLessThanOrEqual(Math.ceil(count / 18) + rejectedIds.length * 2 * 5);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('declares the amounts of one invoice in their order, except one that the store rejects', async () => {
    const { store, stored } = aStore(invoicesOf(1), (changes) =>
      changes.some(({ revisions }) => revisions.some(({ amount }) => amount.eq(3))) ? rejectWrite() : undefined,
    );
    const requests = [1, 2, 3, 4, 5].map((amount) => ({ invoiceId: '1', amount }));
    const results = await declareAmounts(store, scope, requests, context);
    const revisions = results.map((result) => (result.kind === 'declared' ? result.declaration.revision : 'rejected'));
    expect(revisions).toEqual([1, 2, 'rejected', 3, 4]);
    expect(stored.get('1')?.declaration).toMatchObject({ revision: 4 });
  });

  it('declares the other invoices while one invoice conflicts with every write', async () => {
    const invoices = invoicesOf(25);
    let contested = 0;
    const { store } = aStore(invoices, (changes) => {
      const isContested = changes.some(({ before }) => before.invoiceId === '7');
      // The conflicts end after a while.
      return isContested && contested++ < 8 ? 'lost' : undefined;
    });
    const results = await declareAmounts(store, scope, requestsFor(invoices), context);
    expect(messagesOf(results)).toEqual(invoices.map(() => 'declared'));
  });

  it.each([
    [1, ['1 2 3 4']],
    [2, ['1 2', '3 4']],
  ])(
    'writes a contended transaction again, and its halves apart after the second time: %i',
    async (losses, transactions) => {
      const invoices = invoicesOf(4);
      let lost = 0;
      const { store, written } = aStore(invoices, () => (lost++ < losses ? 'lost' : undefined));
      expect(messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context))).not.toContain(UNKNOWN);
      expect(idsOf(written).map((ids) => ids.join(' '))).toEqual(transactions);
    },
  );

  it.each([1, 4])(
    'rejects %i invoices as not written, before the deadline, if the tables stay contended',
    async (count) => {
      const invoices = invoicesOf(count);
      const { store, attempts } = aStore(invoices, () => {
        if (attempts() > 500) throw new Error('It is tried without a pause.');
        return 'lost';
      });
      const end = performance.now() + 1_300;
      const remainingMs = () => end - performance.now();
      const declare = () => declareAmounts(store, scope, requestsFor(invoices), context);
      expect(messagesOf(await runWithinDeadline(remainingMs, declare))).toEqual(invoices.map(() => NOT_WRITTEN));
      expect(attempts()).toBeGreaterThan(1);
    },
  );

  it('evaluates the declarations of a group again after others have changed an invoice', async () => {
    const invoices = invoicesOf(4);
    const { store, stored, written, attempts } = aStore(invoices, () => {
      const other = stored.get('2');
      if (attempts() === 1 && other) stored.set('2', { ...other, state: 'REC', version: 7 });
      return undefined;
    });
    expect(messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context))).not.toContain(UNKNOWN);
    expect(idsOf(written)).toEqual([['1', '2', '3', '4']]);
    expect(stored.get('2')).toMatchObject({ version: 8, state: 'REV', requiresManualReview: true });
  });

  it('reports an unknown outcome for all items of a transaction whose response was lost, and does not retry it', async () => {
    const invoices = invoicesOf(60);
    const { store, attempts } = aStore(invoices, (changes) =>
      changes.some(({ before }) => before.invoiceId === '1') ? Promise.reject(new Error('socket hang up')) : undefined,
    );
    const messages = messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context));
    const unknown = messages.filter((message) => message !== 'declared');
    expect(new Set(unknown)).toEqual(new Set([UNKNOWN]));
    expect(messages.indexOf('declared')).toBe(unknown.length);
    expect(attempts()).toBe(4);
  });

  it('returns an unchanged declaration even if the outcome of the others is unknown [declare-batch/rule-1]', async () => {
    const invoices = invoicesOf(3);
    const { store, stored, lose, attempts } = aStore(invoices, () => undefined);
    await declareAmounts(store, scope, requestsFor(invoices), context);
    await declareAmounts(store, scope, requestsFor(invoices), context);
    expect(attempts(), 'nothing is written a second time').toBe(1);
    lose();
    const repeated = requestsFor(invoices).map((request, at) => (at === 1 ? { ...request, amount: 9 } : request));
    const messages = messagesOf(await declareAmounts(store, scope, repeated, context));
    expect(messages).toEqual(['declared', UNKNOWN, 'declared']);
    expect(stored.get('1')).toMatchObject({ version: 2 });
  });

  it.each([
    { what: 'was written', isWritten: true, revisions: [1, 2, 1] },
    { what: 'was not written', isWritten: false, revisions: [1, 1] },
  ])(
    'writes the declaration after one of unknown outcome, which $what [declare-batch/rule-1]',
    async ({ isWritten, revisions }) => {
      const { store, written, lose } = aStore(invoicesOf(1), () => undefined);
      const requestsOf = (amounts: readonly number[]) => amounts.map((amount) => ({ invoiceId: '1', amount }));
      const declare = (...amounts: number[]) => declareAmounts(store, scope, requestsOf(amounts), context);
      await declare(1);
      lose(isWritten);
      expect(messagesOf(await declare(2, 1))).toEqual([UNKNOWN, 'declared']);
      const amounts = written.flat().flatMap((change) => change.revisions.map(({ amount }) => amount.toNumber()));
      expect(amounts).toEqual(revisions);
    },
  );
});
