import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type MonthVerdict, verifyMonth } from '../../../lib/admin/counters/verify-month.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { type CounterAudit, createCounterAudit } from '../../../lib/storage/counter-audit.ts';
import { createInvoiceTable, type InvoiceTable } from '../../../lib/storage/invoice-table.ts';
import { type CommitInvoices, createInvoiceTransaction } from '../../../lib/storage/invoice-transaction.ts';
import { counterSortKey, invoicePartition } from '../../../lib/storage/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { dayCounters } from '../../support/data/stored-invoices.ts';

const MONTH = '2026-03';
const DAY = '2026-03-15';

const engine = useEngine();
let audit: CounterAudit;
let invoices: InvoiceTable;
let commit: CommitInvoices;
let scope: SupplierScope;
let seeded: readonly Invoice[];

beforeAll(async () => {
  audit = createCounterAudit(engine.client, engine.tables.Invoices);
  invoices = createInvoiceTable(engine.client, engine.tables.Invoices);
  const { Invoices, Declarations } = engine.tables;
  commit = createInvoiceTransaction(engine.client, { invoices: Invoices, declarations: Declarations });
});
beforeEach(async () => {
  scope = { tenant: 'races.example', supplierId: newId() };
  seeded = await seedInvoices(
    engine,
    scope,
    Array.from({ length: 20 }, (_, index) => anInvoice({ invoiceDate: `${DAY}T${10 + (index % 4)}:00:00Z` })),
  );
});

/** Changes an invoice as it is now; says whether nobody else did meanwhile. */
async function change(invoiceId: string, overrides: Partial<Invoice>, shard: number): Promise<boolean> {
  const before = await invoices.get(scope, invoiceId);
  if (!before) throw new Error(`There is no invoice ${invoiceId}.`);
  const after = { ...before, ...overrides, version: before.version + 1 };
  return (await commit(scope, [{ before, after, revisions: [] }], shard)).kind === 'committed';
}

/** Approves an invoice; gives what takes that back. */
async function approve({ invoiceId }: Invoice, shard: number): Promise<() => Promise<boolean>> {
  await change(invoiceId, { state: 'APR' }, shard);
  return () => change(invoiceId, { state: 'PEN' }, shard);
}

/** Makes the counters say one more pending invoice than there is. */
async function corrupt(): Promise<void> {
  await engine.client.send(
    new UpdateCommand({
      TableName: engine.tables.Invoices,
      Key: { pk: invoicePartition(scope), sk: counterSortKey(MONTH, 0) },
      UpdateExpression: 'ADD #counter :one',
      ExpressionAttributeNames: { '#counter': '15PEN' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
}

const right: MonthVerdict = { kind: 'counted', invoices: 20, differences: [], repaired: false };
const repaired: MonthVerdict = {
  kind: 'counted',
  invoices: 20,
  differences: [{ day: DAY, state: 'PEN', counted: 20, stored: 21 }],
  repaired: true,
};

async function expectRightCounters() {
  const { stored, counted } = await dayCounters(engine, scope);
  expect(stored).toEqual(counted);
}

describe('verifying a month while it is changed', () => {
  it('is not misled by two changes that cancel each other out before the counters are read again', async () => {
    const [first] = seeded as [Invoice];
    let counts = 0;
    const disturbed: CounterAudit = {
      ...audit,
      async recount(...args) {
        counts += 1;
        const takeBack = counts <= 4 ? await approve(first, counts) : undefined;
        const counted = await audit.recount(...args);
        await takeBack?.();
        return counted;
      },
    };
    expect(await verifyMonth(disturbed, scope, MONTH, { repair: false })).toEqual(right);
    expect(counts).toBe(5);
  });

  it('takes nothing for a difference that a second look does not find', async () => {
    let counts = 0;
    const halfVisible: CounterAudit = {
      ...audit,
      async recount(...args) {
        const counted = new Map(await audit.recount(...args));
        counts += 1;
        if (counts === 1) counted.set('15PEN', 19);
        return counted;
      },
    };
    expect(await verifyMonth(halfVisible, scope, MONTH, { repair: true })).toEqual(right);
    await expectRightCounters();
  });

  it.each([
    ['a shard', 0],
    ['a shard that was not there', 2],
  ])('repairs nothing when %s changes, and changes back, after the count', async (_, shard) => {
    await corrupt();
    const corrections: boolean[] = [];
    const disturbed: CounterAudit = {
      ...audit,
      async correct(...args) {
        if (corrections.length === 0) await (await approve(seeded[0] as Invoice, shard))();
        const done = await audit.correct(...args);
        corrections.push(done);
        if (!done) expect((await dayCounters(engine, scope)).stored).toEqual({ [`${DAY} PEN`]: 21 });
        return done;
      },
    };
    expect(await verifyMonth(disturbed, scope, MONTH, { repair: true })).toEqual(repaired);
    expect(corrections).toEqual([false, true]);
    await expectRightCounters();
  });

  it('is repaired once, however many repair it', async () => {
    await corrupt();
    const verdicts = await Promise.all(
      Array.from({ length: 5 }, () => verifyMonth(audit, scope, MONTH, { repair: true })),
    );
    expect(verdicts.filter((verdict) => verdict.kind === 'counted' && verdict.repaired)).toEqual([repaired]);
    await expectRightCounters();
  });

  it('finds nothing wrong in a storm of changes, and does no harm', async () => {
    const done = new AbortController();
    const storm = Array.from({ length: 3 }, async (_, lane) => {
      for (let round = 0; round < 60; round++) {
        const { invoiceId } = seeded[(round * 7 + lane) % seeded.length] as Invoice;
        const sortDate = `${round % 9 === 8 ? '2026-04-02' : DAY}T0${round % 10}:00:00.000Z`;
        await change(invoiceId, { state: round % 2 === 0 ? 'APR' : 'REV', sortDate }, round);
        if (round % 10 === 0) await seedInvoices(engine, scope, [anInvoice()]);
        // Room for a count to come through now and then.
        if (round % 15 === 0) await sleep(40);
      }
    });
    const calm = Promise.all(storm).finally(() => done.abort());
    const verdicts: MonthVerdict[] = [];
    while (!done.signal.aborted) {
      for (const month of [MONTH, '2026-04'])
        for (const repair of [false, true]) verdicts.push(await verifyMonth(audit, scope, month, { repair }));
    }
    await calm;
    expect(verdicts.flatMap((verdict) => (verdict.kind === 'busy' ? [] : verdict.differences))).toEqual([]);
    expect(verdicts.filter((verdict) => verdict.kind === 'counted').length).toBeGreaterThan(0);
    await expectRightCounters();
  });
});

describe('the months of a supplier', () => {
  it('are those of its invoices and of its counters', async () => {
    const dates = ['2019-12-31T23:59:59.999Z', '2026-05-01T00:00:00Z', '2026-05-31T23:00:00Z', '2031-01-01T00:00:00Z'];
    await seedInvoices(
      engine,
      scope,
      dates.map((invoiceDate) => anInvoice({ invoiceDate })),
    );
    await change((seeded[0] as Invoice).invoiceId, { sortDate: '2026-04-30T00:00:00.000Z' }, 3);
    await change((seeded[0] as Invoice).invoiceId, { sortDate: '2026-03-01T00:00:00.000Z' }, 3);
    expect(await audit.months(scope)).toEqual(['2019-12', MONTH, '2026-04', '2026-05', '2031-01']);
  });
});
