import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { NothingWritten } from '../../../lib/domain/errors.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { withinDeadline } from '../../../lib/runtime/deadline.ts';
import { declareAmounts } from '../../../lib/services/declare-amounts.ts';
import type { DeclarationChange } from '../../../lib/services/plan-declarations.ts';
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
const refused = () => Promise.reject(new NothingWritten(new Error('refused')));
const idsOf = (written: readonly DeclarationChange[][]) =>
  written.map((changes) => changes.map(({ before }) => before.invoiceId));

const NOT_WRITTEN = 'The declaration could not be written.';
const UNKNOWN = 'The outcome is not known; declare again: it does no harm.';

describe('a batch of declarations', () => {
  it('loses only what the store refuses, wherever it stands [declare-batch/rule-1]', async () => {
    const places = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 3 });
    const property = fc.asyncProperty(fc.integer({ min: 1, max: 100 }), places, async (count, culprits) => {
      const invoices = invoicesOf(count);
      const isCulprit = ({ invoiceId }: Invoice) => culprits.includes(Number(invoiceId));
      const { store, attempts } = aStore(invoices, (changes) =>
        changes.some(({ before }) => isCulprit(before)) ? refused() : undefined,
      );
      const messages = messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context));
      expect(messages).toEqual(invoices.map((invoice) => (isCulprit(invoice) ? NOT_WRITTEN : 'declared')));
      // Halving: for each culprit twice as many as there are halvings of 18 items, and the transactions themselves.
      expect(attempts()).toBeLessThanOrEqual(Math.ceil(count / 18) + culprits.length * 2 * 5);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it('loses only the one declaration of an invoice that the store refuses, and keeps the order of the others', async () => {
    const [invoice = anInvoice()] = invoicesOf(1);
    const { store, stored } = aStore([invoice], (changes) =>
      changes.some(({ revisions }) => revisions.some(({ amount }) => amount.eq(3))) ? refused() : undefined,
    );
    const requests = [1, 2, 3, 4, 5].map((amount) => ({ invoiceId: invoice.invoiceId, amount }));
    const results = await declareAmounts(store, scope, requests, context);
    const revisions = results.map((result) => (result.kind === 'declared' ? result.declaration.revision : 'refused'));
    expect(revisions).toEqual([1, 2, 'refused', 3, 4]);
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
    const results = await declareAmounts(store, scope, requestsFor(invoices), context);
    expect(messagesOf(results)).toEqual(invoices.map(() => 'declared'));
  });

  it.each([
    [1, ['1 2 3 4']],
    [2, ['1 2', '3 4']],
  ])(
    'is tried again when it has lost a race, and divided when it has lost another: %i',
    async (losses, transactions) => {
      const invoices = invoicesOf(4);
      let lost = 0;
      const { store, written, shards } = aStore(invoices, () => (lost++ < losses ? 'lost' : undefined));
      expect(messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context))).not.toContain(UNKNOWN);
      expect(idsOf(written).map((ids) => ids.join(' '))).toEqual(transactions);
      // Each attempt meets other counters, and so do the halves.
      const [first = 0] = shards;
      expect(shards.map((shard) => shard - first)).toEqual(losses === 1 ? [0, 1] : [0, 1, 0, 1]);
    },
  );

  it('works out once what each declaration comes to', async () => {
    const invoices = invoicesOf(40);
    const newDeclarationId = vi.fn(context.newDeclarationId);
    const { store } = aStore(invoices, () => undefined);
    await declareAmounts(store, scope, requestsFor(invoices), { ...context, newDeclarationId });
    expect(newDeclarationId).toHaveBeenCalledTimes(40);
  });

  it('puts no more into a transaction than it can hold; they begin with the shard of the first day, side by side', async () => {
    const invoices = invoicesOf(6);
    const { store, written, shards } = aStore(invoices, () => undefined, 300);
    await declareAmounts(store, scope, requestsFor(invoices), context);
    expect(written.map((changes) => changes.length)).toEqual([3, 3]);
    const day = Number(invoices[0]?.sortDate.slice(8, 10));
    expect(shards).toEqual([day + 1, day + 2]);
  });

  it('says of an invoice that others change each time, in time for the answer, that it was not written', async () => {
    const { store, stored, attempts } = aStore(invoicesOf(1), () => {
      if (attempts() > 500) throw new Error('It is tried without a pause.');
      const other = stored.get('1');
      if (other) stored.set('1', { ...other, version: other.version + 1 });
      return undefined;
    });
    const end = performance.now() + 1_800;
    const [result] = await withinDeadline(
      () => end - performance.now(),
      () => declareAmounts(store, scope, [{ invoiceId: '1', amount: 1 }], context),
    );
    expect(result).toMatchObject({ kind: 'rejected', error: { reason: 'not-written', code: 'INTERNAL_ERROR' } });
    expect(messagesOf(result ? [result] : [])).toEqual([NOT_WRITTEN]);
    expect(attempts()).toBeGreaterThan(1);
  });

  it('writes an invoice that others have changed by itself, and the rest together', async () => {
    const invoices = invoicesOf(4);
    const { store, stored, written, attempts } = aStore(invoices, () => {
      const other = stored.get('2');
      if (attempts() === 1 && other) stored.set('2', { ...other, version: 7 });
      return undefined;
    });
    expect(messagesOf(await declareAmounts(store, scope, requestsFor(invoices), context))).not.toContain(UNKNOWN);
    expect(idsOf(written)).toEqual([['2'], ['1', '3', '4']]);
    expect(stored.get('2')).toMatchObject({ version: 8 });
  });

  it('says of a whole transaction that its outcome is not known, and does not try it again, when its answer is lost', async () => {
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

  it('answers what changes nothing, though the outcome of the others is not known [declare-batch/rule-1]', async () => {
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
    { what: 'was not', isWritten: false, revisions: [1, 1] },
  ])(
    'writes what comes after an unknown outcome, and so ends it: that one $what [declare-batch/rule-1]',
    async ({ isWritten, revisions }) => {
      const { store, written, lose } = aStore(invoicesOf(1), () => undefined);
      const requestsOf = (amounts: readonly number[]) => amounts.map((amount) => ({ invoiceId: '1', amount }));
      const declare = (...amounts: number[]) => declareAmounts(store, scope, requestsOf(amounts), context);
      await declare(1);
      lose(isWritten);
      // 50 of an invoice are written together.
      const results = await declare(...Array<number>(50).fill(2), 1);
      expect(messagesOf(results)).toEqual([...Array<string>(50).fill(UNKNOWN), 'declared']);
      const amounts = written.flat().flatMap((change) => change.revisions.map(({ amount }) => amount.toNumber()));
      expect(amounts).toEqual(revisions);
    },
  );
});
