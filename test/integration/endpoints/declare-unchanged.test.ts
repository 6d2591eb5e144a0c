import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { declaringSupplier } from '../../support/data/declaring-supplier.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const everything = { amount: 1050, notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };

const portal = useWatchedPortal();

/** The cost of a request that reads so many invoices, of less than 4 KB each, and writes nothing but its count. */
const onlyCounted = (invoices: number, serialRoundTrips: number) => ({
  serialRoundTrips,
  units: {
    Directory: { read: 5, write: 0 },
    RateCounters: { read: 0, write: 1 },
    Invoices: { read: invoices, write: 0 },
  },
});

/** What some work cost and answered. */
async function measureCost<Answer>(work: () => Promise<Answer>) {
  const answers: Answer[] = [];
  const cost = await costOf(portal.proxy, async () => void answers.push(await work()));
  return { cost, answer: answers[0] };
}

describe('a declaration that changes nothing', () => {
  it.each([
    ['the same amount but for the noise of binary arithmetic', { ...everything, amount: 1050.000_000_4 }],
    ['with null for what is kept', { amount: 1050, notes: null, invoice_number: null, tax_pct: null }],
  ])('(%s) answers as before, and writes nothing but its count [declare-invoice/upsert]', async (_what, repeated) => {
    const { declare, stored } = await declaringSupplier(portal, anInvoice());
    const first = await declare(everything);
    const before = await stored();
    const { cost, answer } = await measureCost(() => declare(repeated));
    expect(answer).toEqual({ ...first, remaining: '8' });
    expect(cost).toEqual(onlyCounted(1, 1));
    expect(await stored()).toEqual(before);
  });

  it('is the repeat of one whose answer was lost: that one stands once, and the repeat is free', async () => {
    const { declare, stored } = await declaringSupplier(portal, anInvoice());
    portal.proxy.fail({ how: 'lose-answer', operation: 'TransactWriteItems' });
    expect((await declare({ amount: 1000 })).status).toBe(500);
    const before = await stored();
    expect(before.revisions[0]).toHaveLength(1);
    const { cost, answer } = await measureCost(() => declare({ amount: 1000 }));
    expect(answer).toMatchObject({ status: 200, data: { declared_amount: 1000, state_id: 3 } });
    expect(cost).toEqual(onlyCounted(1, 1));
    expect(await stored()).toEqual(before);
  });

  it('is every one but the first of many at once, and all are answered the same', async () => {
    const { declare, stored } = await declaringSupplier(portal, anInvoice());
    const answers = await Promise.all(Array.from({ length: 8 }, () => declare({ amount: 1000 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await stored()).revisions[0]).toHaveLength(1);
  });
});

describe('a declaration in the same state', () => {
  it.each([
    ['an amount', { amount: 1001 }, 6],
    ['notes', { amount: 1000, notes: 'Peaje' }, 6],
    ['a text that is searched in', { amount: 1000, invoice_number: 'FE-1' }, 8],
  ])(
    'with %s that is another writes the counters only where a search could tell: %j, %i units',
    async (_, fields, units) => {
      const { declare } = await declaringSupplier(portal, anInvoice());
      await declare({ amount: 1000 });
      const { cost } = await measureCost(() => declare(fields));
      // The invoice 2, its rows 4; the fingerprint of the day 2.
      expect(cost.units.Invoices).toMatchObject({ write: units });
    },
  );
});

describe('a batch that changes nothing', () => {
  it('answers as before, and costs two round trips and its count, however long it is', async () => {
    const { declareAll, stored } = await declaringSupplier(
      portal,
      ...Array.from({ length: LIMITS.batchItems }, () => anInvoice()),
    );
    const amounts = Array.from({ length: LIMITS.batchItems }, (_, at) => 1000 + at);
    const first = await declareAll(amounts);
    const before = await stored();
    const { cost, answer } = await measureCost(() => declareAll(amounts));
    expect(first.data).toMatchObject({ accepted: LIMITS.batchItems, rejected: 0 });
    expect(answer?.data).toEqual(first.data);
    expect(cost).toEqual(onlyCounted(LIMITS.batchItems, 2));
    expect(await stored()).toEqual(before);
  });

  it('but for one item, writes that one alone', async () => {
    const { declareAll, stored } = await declaringSupplier(portal, ...Array.from({ length: 30 }, () => anInvoice()));
    const amounts = Array<number>(30).fill(1000);
    await declareAll(amounts);
    const { cost, answer } = await measureCost(() => declareAll(amounts.with(7, 1001)));
    expect(answer?.data).toMatchObject({ accepted: 30, rejected: 0 });
    // The invoice 2, its rows 4 (no counter, for its state stays); its history 2, the log 3.
    expect(cost.units).toMatchObject({ Invoices: { write: 6 }, Declarations: { write: 5 } });
    expect((await stored()).revisions.map(({ length }) => length)).toEqual(amounts.map((_, at) => (at === 7 ? 2 : 1)));
  });

  it('but for what its own items change, writes that alone', async () => {
    const sent = [1000, 1000, 2000, 2000, 1000];
    const { declareInTurn, stored } = await declaringSupplier(portal, anInvoice());
    const { data } = await declareInTurn(sent);
    expect(data.results.map((result: { declared_amount: number }) => result.declared_amount)).toEqual(sent);
    expect(data.accepted).toBe(sent.length);
    const { revisions } = await stored();
    expect(revisions[0]?.map(({ declared_amount: amount }) => amount)).toEqual([1000, 2000, 1000]);
  });
});
