import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryStore, SEND_FAULTS, type SendFault } from '../../support/fakes/memory-store.ts';
import { proves } from '../../rules/proves.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const context = {
  tolerance: selectTolerance(null, null),
  ...{ userId: '1', requestId: 'r', newDeclarationId: () => '1' },
};

const buildInvoices = (count: number) =>
  Array.from({ length: count }, (_, index) => buildInvoice({ invoiceId: `${index + 1}` }));
const buildRequests = (invoices: readonly Invoice[]) =>
  invoices.map(({ invoiceId }, index) => ({ invoiceId, amount: index + 1 }));
const readMessages = (results: Awaited<ReturnType<typeof declareAmounts>>) =>
  results.map((result) => (result.kind === 'declared' ? 'declared' : result.error.message));
const readIds = (written: readonly InvoiceChange[][]) =>
  written.map((changes) => changes.map(({ after }) => after.invoiceId));
const readAmounts = (written: readonly InvoiceChange[][]) =>
  written.flat().map(({ revision }) => revision?.amount.toNumber());

const NOT_WRITTEN = 'The declaration could not be written.';
const UNKNOWN = 'The outcome is not known. Declare again: a repeated declaration changes nothing.';
const NOT_FOUND = 'The invoice was not found.';

describe('declareAmounts', () => {
  it('declareAmounts declares every invoice except those that the store rejects', async () => {
    proves('declare-batch/rule-1');
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), ids, async (count, rejectedIds) => {
      const invoices = buildInvoices(count);
      const isRejected = ({ invoiceId }: Invoice) => rejectedIds.includes(Number(invoiceId));
      const { store, attempts } = createMemoryStore(invoices, (changes) =>
        changes.some(({ after }) => isRejected(after)) ? 'reject' : undefined,
      );
      const messages = readMessages(await declareAmounts(store, scope, buildRequests(invoices), context));
      expect(messages).toEqual(invoices.map((invoice) => (isRejected(invoice) ? NOT_WRITTEN : 'declared')));
      // One attempt for each transaction, and two for each of the 6 splits that isolate a rejected item among 50.
      expect(attempts()).toBeLessThanOrEqual(Math.ceil(count / 50) + rejectedIds.length * 2 * 6);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('declareAmounts declares the amounts of one invoice in their order, except one that the store rejects', async () => {
    const { store, stored } = createMemoryStore(buildInvoices(1), (changes) =>
      changes.some(({ revision }) => revision?.amount.eq(3)) ? 'reject' : undefined,
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
    'declareAmounts retries a transaction after a conflict, and splits it in half after the second: %i conflicts',
    async (conflicts, transactions) => {
      const invoices = buildInvoices(4);
      const { store, written, attempts } = createMemoryStore(invoices, () =>
        attempts() <= conflicts ? 'conflict' : undefined,
      );
      expect(readMessages(await declareAmounts(store, scope, buildRequests(invoices), context))).not.toContain(UNKNOWN);
      expect(readIds(written).map((ids) => ids.join(' '))).toEqual(transactions);
    },
  );

  it.each([
    [1, 'conflict', NOT_WRITTEN],
    [4, 'conflict', NOT_WRITTEN],
    [1, 'lose-call', UNKNOWN],
    [4, 'lose-call', UNKNOWN],
  ] as const)(
    'declareAmounts rejects %i invoices before the deadline if every attempt has the fault %s: %s',
    async (count, fault, message) => {
      const invoices = buildInvoices(count);
      const { store, attempts } = createMemoryStore(invoices, () => {
        if (attempts() > 500) throw new Error('The retries have no back-off.');
        return fault;
      });
      const end = performance.now() + 1_300;
      const remainingMs = () => end - performance.now();
      const declare = () => declareAmounts(store, scope, buildRequests(invoices), context);
      expect(readMessages(await runWithinDeadline(remainingMs, declare))).toEqual(invoices.map(() => message));
      expect(attempts()).toBeGreaterThan(1);
    },
  );

  it('declareAmounts evaluates the declarations of a group again after others have changed an invoice', async () => {
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

  it.each([
    ['erased', (stored: Map<string, Invoice>) => stored.delete('2')],
    [
      'withdrawn',
      (stored: Map<string, Invoice>) =>
        stored.set('2', buildInvoice({ invoiceId: '2', isWithdrawn: true, version: 2 })),
    ],
  ])('declareAmounts returns NOT_FOUND for an invoice that is %s after it was read', async (_, remove) => {
    const invoices = buildInvoices(3);
    const { store, stored, written, attempts } = createMemoryStore(invoices, () => {
      if (attempts() === 1) remove(stored);
      return undefined;
    });
    const requests = [...buildRequests(invoices), { invoiceId: '2', amount: 5 }];
    const messages = readMessages(await declareAmounts(store, scope, requests, context));
    expect(messages).toEqual(['declared', NOT_FOUND, 'declared', NOT_FOUND]);
    expect(readIds(written)).toEqual([['1', '3']]);
  });
});

describe('a declaration whose attempts fail', () => {
  // Without a back-off, failures take no time.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());

  // The messages after the faults that end a declaration. After the others, the transaction is sent again.
  const LAST_FAULTS: Partial<Record<SendFault, string>> = {
    reject: NOT_WRITTEN,
    ...{ fail: UNKNOWN, 'fail-after-write': UNKNOWN, 'fail-before-write': UNKNOWN },
  };

  it('declareAmounts writes a declaration at most once, and returns its outcome, after any sequence of faults', async () => {
    const sequences = fc.array(fc.constantFrom(...SEND_FAULTS), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sequences, async (faults) => {
        const memory = createMemoryStore(buildInvoices(1), () => faults[memory.attempts() - 1]);
        const [message] = readMessages(
          await declareAmounts(memory.store, scope, buildRequests(buildInvoices(1)), context),
        );
        const lastFault = faults[memory.attempts() - 1];
        // The token confirms the write of a lost attempt.
        const isConfirmed = lastFault === 'reject' && faults.slice(0, memory.attempts()).includes('lose-response');
        expect(message).toBe(lastFault === undefined || isConfirmed ? 'declared' : LAST_FAULTS[lastFault]);
        memory.writeLate();
        if (message === 'declared') expect(memory.written).toHaveLength(1);
        if (message === NOT_WRITTEN) expect(memory.written).toHaveLength(0);
        expect(memory.written.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  it('declareAmounts returns an unknown outcome for all items of a failed transaction, and does not retry it', async () => {
    const invoices = buildInvoices(60);
    const { store, attempts } = createMemoryStore(invoices, (changes) =>
      changes.some(({ after }) => after.invoiceId === '1') ? 'fail' : undefined,
    );
    const messages = readMessages(await declareAmounts(store, scope, buildRequests(invoices), context));
    expect(messages).toEqual(invoices.map((_, index) => (index < 50 ? UNKNOWN : 'declared')));
    expect(attempts()).toBe(2);
  });

  it('declareAmounts returns an unchanged declaration even if the outcome of the others is unknown', async () => {
    proves('declare-batch/rule-1');
    const invoices = buildInvoices(3);
    const { store, stored, attempts } = createMemoryStore(invoices, () =>
      attempts() === 2 ? 'fail-after-write' : undefined,
    );
    await declareAmounts(store, scope, buildRequests(invoices), context);
    await declareAmounts(store, scope, buildRequests(invoices), context);
    expect(attempts(), 'nothing is written a second time').toBe(1);
    const repeated = buildRequests(invoices).map((request, at) => (at === 1 ? { ...request, amount: 9 } : request));
    const messages = readMessages(await declareAmounts(store, scope, repeated, context));
    expect(messages).toEqual(['declared', UNKNOWN, 'declared']);
    expect(stored.get('1')).toMatchObject({ version: 2 });
  });

  it.each([
    ['fail', 'is never written', [1, 1]],
    ['fail-after-write', 'was written', [1, 2, 1]],
    ['fail-before-write', 'would be written later', [1, 1]],
  ] as const)(
    'declareAmounts writes a declaration that follows one of unknown outcome (%s), which %s',
    async (fault, _, amounts) => {
      proves('declare-batch/rule-1');
      const { store, written, attempts, writeLate } = createMemoryStore(buildInvoices(1), () =>
        attempts() === 2 ? fault : undefined,
      );
      const declare = (...declared: number[]) =>
        declareAmounts(
          store,
          scope,
          declared.map((amount) => ({ invoiceId: '1', amount })),
          context,
        );
      await declare(1);
      expect(readMessages(await declare(2, 1))).toEqual([UNKNOWN, 'declared']);
      writeLate();
      expect(readAmounts(written)).toEqual(amounts);
    },
  );

  it('declareAmounts does not write a repeated declaration after one that the store rejects', async () => {
    const { store, written, attempts } = createMemoryStore(buildInvoices(1), () =>
      attempts() === 2 ? 'reject' : undefined,
    );
    const declare = (...amounts: number[]) =>
      declareAmounts(
        store,
        scope,
        amounts.map((amount) => ({ invoiceId: '1', amount })),
        context,
      );
    await declare(1);
    expect(readMessages(await declare(2, 1))).toEqual([NOT_WRITTEN, 'declared']);
    expect(readAmounts(written)).toEqual([1]);
  });

  it('declareAmounts rejects an invoice that does not exist', async () => {
    const results = await declareAmounts(createMemoryStore([]).store, scope, [{ invoiceId: '1', amount: 1 }], context);
    expect(results).toMatchObject([{ kind: 'rejected', error: { message: NOT_FOUND } }]);
  });

  it('declareAmounts throws an error that is not an error of the request', async () => {
    const newDeclarationId = () => {
      throw new Error('no id');
    };
    const { store } = createMemoryStore(buildInvoices(1));
    const declaring = declareAmounts(store, scope, buildRequests(buildInvoices(1)), { ...context, newDeclarationId });
    await expect(declaring).rejects.toThrow('no id');
  });
});
