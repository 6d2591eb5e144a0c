import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Finding, verifyMonth } from '../../../lib/admin/counters/verify-counters.ts';
import type { CounterAudit } from '../../../lib/storage/audit/audits.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { createCounterAudit } from '../../../lib/storage/audit/audits.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { changeInvoice } from '../../support/data/change-invoice.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';

const MONTH = '2026-03';
const DAY = '2026-03-15';
const distrusted: ReadonlySet<string> = new Set();

const engine = useEngine();
let audit: CounterAudit;
let scope: SupplierScope;
let seeded: readonly Invoice[];

beforeAll(async () => {
  audit = createCounterAudit(engine.client, engine.tables.Invoices);
});
beforeEach(async () => {
  scope = { tenant: 'races.example', supplierId: newId() };
  seeded = await seedInvoices(
    engine,
    scope,
    Array.from({ length: 20 }, (_, index) => anInvoice({ invoiceDate: `${DAY}T${10 + (index % 4)}:00:00Z` })),
  );
});

/** Approves an invoice; gives what takes that back. */
async function approve({ invoiceId }: Invoice, shard: number): Promise<() => Promise<boolean>> {
  await changeInvoice(engine, scope, invoiceId, { state: 'APR' }, shard);
  return () => changeInvoice(engine, scope, invoiceId, { state: 'PEN' }, shard);
}

/** Makes the counters say one more pending invoice than there is. */
const corrupt = () => spoil(engine, scope).addTo(MONTH, 0, '15PEN', 1);

interface Verified {
  readonly invoices: number;
  readonly findings: readonly Finding[];
}

/** Verifies a month; gives how many invoices it has, and what was found. */
async function verify(counters: CounterAudit, { repair = true } = {}): Promise<Verified> {
  const findings: Finding[] = [];
  const options = { repair, report: (finding: Finding) => findings.push(finding), distrusted };
  return { invoices: await verifyMonth(counters, scope, MONTH, options), findings };
}

const right: Verified = { invoices: 20, findings: [] };
const repaired: Verified = {
  invoices: 20,
  findings: [{ kind: 'counter', day: DAY, state: 'PEN', counted: 20, stored: 21, repaired: true }],
};

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
    expect(await verify(disturbed, { repair: false })).toEqual(right);
    expect(counts).toBe(5);
  });

  it(
    'reports a month that is changed all the time as busy, and neither as right nor as wrong',
    { tags: 'long' },
    async () => {
      await corrupt();
      let takeBack: (() => Promise<boolean>) | undefined;
      const disturbed: CounterAudit = {
        ...audit,
        async recount(...args) {
          const counted = await audit.recount(...args);
          takeBack = takeBack ? void (await takeBack()) : await approve(seeded[0] as Invoice, 1);
          return counted;
        },
      };
      expect(await verify(disturbed)).toEqual({ invoices: 0, findings: [{ kind: 'busy', month: MONTH }] });
    },
  );

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
    expect(await verify(halfVisible)).toEqual(right);
    await rightCounters(engine, scope);
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
        if (!done) await expect(rightCounters(engine, scope)).rejects.toThrow(`'${DAY} PEN': 21`);
        return done;
      },
    };
    expect(await verify(disturbed)).toEqual(repaired);
    expect(corrections).toEqual([false, true]);
    await rightCounters(engine, scope);
  });

  it('is repaired once, however many repair it', async () => {
    await corrupt();
    const verified = await Promise.all(Array.from({ length: 5 }, () => verify(audit)));
    expect(verified.filter(({ findings }) => findings.length > 0)).toEqual([repaired]);
    await rightCounters(engine, scope);
  });
});
