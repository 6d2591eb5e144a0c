import { beforeAll, describe, expect, it } from 'vitest';
import type { DeclarationContext } from '../../../lib/domain/declaration.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/services/declare-amounts.ts';
import { declarationStore, declareOne } from '../../support/data/declare-one.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { rightCounters, storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();
let store: DeclarationStore;
beforeAll(() => {
  store = declarationStore(portal.engine);
});

function context(): DeclarationContext {
  const tolerance = effectiveTolerance({ mode: 'ABS', pct: null, abs: decimal('25'), autoApprove: true }, null);
  return { tolerance, userId: '1', requestId: 'r', now: new Date(), newDeclarationId: newId };
}

describe('declarations that race', () => {
  it(
    '50 at once on one invoice leave one consistent state, revisions 1 to 50, and right counters',
    { tags: 'long' },
    async () => {
      const { account } = await portal.newCaller();
      const { scope } = account;
      const invoice = anInvoice({ systemAmount: decimal('1000') });
      await seedInvoices(portal.engine, scope, [invoice]);
      const { invoiceId } = invoice;

      const declarations = Array.from({ length: 50 }, (_, index) =>
        declareOne(store, scope, { invoiceId, amount: 1000 + index }, context()),
      );
      const results = await Promise.all(declarations);

      const revisions = await storedRevisions(portal.engine, scope, invoiceId);
      const stored = (await storedInvoices(portal.engine, scope)).get(invoiceId);
      expect(revisions.map(({ sk }) => sk)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(new Set(revisions.map(({ declared_amount: amount }) => amount)).size).toBe(50);
      expect(new Set(results.map(({ declaration }) => declaration.declarationId))).toEqual(
        new Set([stored?.['declaration_id']]),
      );
      for (const { declaration } of results) {
        expect(revisions[declaration.revision - 1]).toMatchObject({ declared_amount: declaration.amount.toNumber() });
      }
      const last = revisions.at(-1);
      expect(stored).toMatchObject({
        version: 51,
        declaration_revision: 50,
        declared_amount: last?.['declared_amount'],
        state_code: Number(last?.['declared_amount']) <= 1025 ? 'APR' : 'REV',
      });
      await rightCounters(portal.engine, scope);
    },
  );

  it('one that loses a race in a batch is declared on what won, and takes no others with it', async () => {
    const { account } = await portal.newCaller();
    const { scope } = account;
    const invoices = Array.from({ length: 10 }, () => anInvoice());
    await seedInvoices(portal.engine, scope, invoices);
    const contested = invoices[4]?.invoiceId ?? '';
    const commits: string[][] = [];
    const raced: DeclarationStore = {
      ...store,
      async getMany(...read) {
        const found = await store.getMany(...read);
        await declareOne(store, scope, { invoiceId: contested, amount: 1, notes: 'won the race' }, context());
        return found;
      },
      commit(...write) {
        commits.push(write[1].map(({ before }) => before.invoiceId));
        return store.commit(...write);
      },
    };

    const requests = invoices.map(({ invoiceId }) => ({ invoiceId, amount: 1000 }));
    const results = await declareAmounts(raced, scope, requests, context());

    expect(results.map(({ kind }) => kind)).toEqual(invoices.map(() => 'declared'));
    // Once with the others and once alone: what won came back with the refusal, so that it is not read again.
    expect(commits.filter((ids) => ids.includes(contested))).toHaveLength(2);
    for (const { invoiceId } of invoices) {
      const revisions = await storedRevisions(portal.engine, scope, invoiceId);
      expect(revisions.map(({ declared_amount: amount }) => amount)).toEqual(
        invoiceId === contested ? [1, 1000] : [1000],
      );
    }
    const stored = await storedInvoices(portal.engine, scope);
    expect(stored.get(contested)).toMatchObject({ declared_amount: 1000, declared_notes: 'won the race' });
    await rightCounters(portal.engine, scope);
  });

  it('one that meets a TransactionConflict is tried again, and succeeds as one revision', async () => {
    const { account, call } = await portal.newCaller();
    const invoice = anInvoice();
    await seedInvoices(portal.engine, account.scope, [invoice]);
    portal.proxy.conflict(3);

    const { status } = await call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount: 1000 } });

    expect(status).toBe(200);
    expect(portal.proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems')).toHaveLength(4);
    expect(await storedRevisions(portal.engine, account.scope, invoice.invoiceId)).toHaveLength(1);
  });

  it('a declaration costs 2 serial round trips and exactly 16 write units', async () => {
    const { account, call } = await portal.newCaller();
    const invoice = anInvoice();
    await seedInvoices(portal.engine, account.scope, [invoice]);
    await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${invoice.invoiceId}` });

    const body = { invoice_id: invoice.invoiceId, amount: 1000 };
    const { serialRoundTrips, units } = await costOf(portal.proxy, () => call('declare-invoice', { body }));

    expect(serialRoundTrips).toBe(2);
    expect(units).toEqual({
      Directory: { read: 5, write: 0 },
      RateCounters: { read: 0, write: 1 },
      // The invoice 2, its row in the list of all 2, out of and into the lists of states 4, the month's counter 2.
      Invoices: { read: 1, write: 10 },
      // The history 2, the entry of the log 2, its index 1; the latest entry, which this process does not know yet.
      Declarations: { read: 1, write: 5 },
    });
  });
});
