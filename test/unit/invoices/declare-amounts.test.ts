import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WriteRejectedError } from '../../../lib/domain/errors.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import type { InvoiceChange } from '../../../lib/invoices/transactions.ts';
import { createMemoryStore } from '../../support/fakes/memory-store.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { proves } from '../../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const by = { userId: '1', requestId: 'r', now: new Date(0), newDeclarationId: () => '1' };
const context = { tolerance: selectTolerance(null, null), ...by };

const buildInvoices = (count: number) =>
  Array.from({ length: count }, (_, index) => buildInvoice({ invoiceId: `${index + 1}` }));
const buildRequests = (invoices: readonly Invoice[]) =>
  invoices.map(({ invoiceId }, index) => ({ invoiceId, amount: index + 1 }));
const readMessages = (results: Awaited<ReturnType<typeof declareAmounts>>) =>
  results.map((result) => (result.kind === 'declared' ? 'declared' : result.error.message));
const rejectWrite = () => Promise.reject(new WriteRejectedError(new Error('rejected')));
const readIds = (written: readonly InvoiceChange[][]) =>
  written.map((changes) => changes.map(({ after }) => after.invoiceId));

const NOT_WRITTEN = 'The declaration could not be written.';
const UNKNOWN = 'The outcome is not known. Declare again: a repeated declaration changes nothing.';

describe('declareAmounts', () => {
  it('declareAmounts declares every invoice except those that the store rejects', async () => {
    proves('declare-batch/rule-1');
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), ids, async (count, rejectedIds) => {
      const invoices = buildInvoices(count);
      const isRejected = ({ invoiceId }: Invoice) => rejectedIds.includes(Number(invoiceId));
      const { store, attempts } = createMemoryStore(invoices, (changes) =>
        changes.some(({ after }) => isRejected(after)) ? rejectWrite() : undefined,
      );
      const messages = readMessages(await declareAmounts(store, scope, buildRequests(invoices), context));
      expect(messages).toEqual(invoices.map((invoice) => (isRejected(invoice) ? NOT_WRITTEN : 'declared')));
      // One attempt for each transaction, and two for each of the 5 splits that isolate a rejected item among 18.
      expect(attempts()).toBeLessThanOrEqual(Math.ceil(count / 18) + rejectedIds.length * 2 * 5);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('declareAmounts declares the amounts of one invoice in their order, except one that the store rejects', async () => {
    const { store, stored } = createMemoryStore(buildInvoices(1), (changes) =>
      changes.some(({ revisions }) => revisions.some(({ amount }) => amount.eq(3))) ? rejectWrite() : undefined,
    );
    const requests = [1, 2, 3, 4, 5].map((amount) => ({ invoiceId: '1', amount }));
    const results = await declareAmounts(store, scope, requests, context);
    const revisions = results.map((result) => (result.kind === 'declared' ? result.declaration.revision : 'rejected'));
    expect(revisions).toEqual([1, 2, 'rejected', 3, 4]);
    expect(stored.get('1')?.declaration).toMatchObject({ revision: 4 });
  });

  it('declareAmounts declares the other invoices while one invoice conflicts with every write', async () => {
    const invoices = buildInvoices(25);
    let conflictCount = 0;
    const { store } = createMemoryStore(invoices, (changes) => {
      const hasConflict = changes.some(({ after }) => after.invoiceId === '7');
      // The conflicts end after a while.
      return hasConflict && conflictCount++ < 8 ? 'conflict' : undefined;
    });
    const results = await declareAmounts(store, scope, buildRequests(invoices), context);
    expect(readMessages(results)).toEqual(invoices.map(() => 'declared'));
  });

  it.each([
    [1, ['1 2 3 4']],
    [2, ['1 2', '3 4']],
  ])(
    'retries a transaction with a conflict, and splits it in half after the second conflict: %i conflicts',
    async (conflicts, transactions) => {
      const invoices = buildInvoices(4);
      let writeCount = 0;
      const { store, written } = createMemoryStore(invoices, () => (writeCount++ < conflicts ? 'conflict' : undefined));
      expect(readMessages(await declareAmounts(store, scope, buildRequests(invoices), context))).not.toContain(UNKNOWN);
      expect(readIds(written).map((ids) => ids.join(' '))).toEqual(transactions);
    },
  );

  it.each([1, 4])(
    'rejects %i invoices as not written, before the deadline, if every write has a conflict',
    async (count) => {
      const invoices = buildInvoices(count);
      const { store, attempts } = createMemoryStore(invoices, () => {
        if (attempts() > 500) throw new Error('The retries have no back-off.');
        return 'conflict';
      });
      const end = performance.now() + 1_300;
      const remainingMs = () => end - performance.now();
      const declare = () => declareAmounts(store, scope, buildRequests(invoices), context);
      expect(readMessages(await runWithinDeadline(remainingMs, declare))).toEqual(invoices.map(() => NOT_WRITTEN));
      expect(attempts()).toBeGreaterThan(1);
    },
  );

  it('evaluates the declarations of a group again after others have changed an invoice', async () => {
    const invoices = buildInvoices(4);
    const { store, stored, written, attempts } = createMemoryStore(invoices, () => {
      const other = stored.get('2');
      if (attempts() === 1 && other) stored.set('2', { ...other, state: 'REC', version: 7 });
      return undefined;
    });
    expect(readMessages(await declareAmounts(store, scope, buildRequests(invoices), context))).not.toContain(UNKNOWN);
    expect(readIds(written)).toEqual([['1', '2', '3', '4']]);
    expect(stored.get('2')).toMatchObject({ version: 8, state: 'REV', requiresManualReview: true });
  });

  it('reports an unknown outcome for all items of a transaction whose response was lost, and does not retry it', async () => {
    const invoices = buildInvoices(60);
    const { store, attempts } = createMemoryStore(invoices, (changes) =>
      changes.some(({ after }) => after.invoiceId === '1') ? Promise.reject(new Error('socket hang up')) : undefined,
    );
    const messages = readMessages(await declareAmounts(store, scope, buildRequests(invoices), context));
    const unknown = messages.filter((message) => message !== 'declared');
    expect(new Set(unknown)).toEqual(new Set([UNKNOWN]));
    expect(messages.indexOf('declared')).toBe(unknown.length);
    expect(attempts()).toBe(4);
  });

  it('returns an unchanged declaration even if the outcome of the others is unknown', async () => {
    proves('declare-batch/rule-1');
    const invoices = buildInvoices(3);
    const { store, stored, loseNextResponse, attempts } = createMemoryStore(invoices, () => undefined);
    await declareAmounts(store, scope, buildRequests(invoices), context);
    await declareAmounts(store, scope, buildRequests(invoices), context);
    expect(attempts(), 'nothing is written a second time').toBe(1);
    loseNextResponse();
    const repeated = buildRequests(invoices).map((request, at) => (at === 1 ? { ...request, amount: 9 } : request));
    const messages = readMessages(await declareAmounts(store, scope, repeated, context));
    expect(messages).toEqual(['declared', UNKNOWN, 'declared']);
    expect(stored.get('1')).toMatchObject({ version: 2 });
  });

  it.each([
    { what: 'was written', isWritten: true, revisions: [1, 2, 1] },
    { what: 'was not written', isWritten: false, revisions: [1, 1] },
  ])('writes a declaration that follows one of unknown outcome, which $what', async ({ isWritten, revisions }) => {
    proves('declare-batch/rule-1');
    const { store, written, loseNextResponse } = createMemoryStore(buildInvoices(1), () => undefined);
    const buildDeclarations = (amounts: readonly number[]) => amounts.map((amount) => ({ invoiceId: '1', amount }));
    const declare = (...amounts: number[]) => declareAmounts(store, scope, buildDeclarations(amounts), context);
    await declare(1);
    loseNextResponse(isWritten);
    expect(readMessages(await declare(2, 1))).toEqual([UNKNOWN, 'declared']);
    const amounts = written.flat().flatMap((change) => change.revisions.map(({ amount }) => amount.toNumber()));
    expect(amounts).toEqual(revisions);
  });
});
