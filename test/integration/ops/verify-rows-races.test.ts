import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../../lib/admin/counters/findings.ts';
import type { RowAudit } from '../../../lib/admin/ports/audits.ts';
import { verifySupplier } from '../../../lib/admin/counters/verify-counters.ts';
import { verifyRows } from '../../../lib/admin/counters/verify-rows.ts';
import type { AdminPorts } from '../../../lib/admin/ports/admin-ports.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { changeInvoice } from '../../support/data/change-invoice.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { dayCounters } from '../../support/data/stored-invoices.ts';
import { expectRightRows } from '../../support/data/stored-rows.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let ports: AdminPorts;
let scope: SupplierScope;
let seeded: readonly Invoice[];

beforeAll(() => {
  ports = createAdminPorts(engine);
});
beforeEach(async () => {
  scope = { tenant: 'races.example', supplierId: newId() };
  seeded = await seedInvoices(
    engine,
    scope,
    Array.from({ length: 20 }, () => anInvoice()),
  );
});

const ELSEWHERE = { sortDate: '2026-03-20T00:00:00.000Z' };
const change = (invoiceId: string, overrides: Partial<Invoice>, shard?: number) =>
  changeInvoice(engine, scope, invoiceId, overrides, shard);

/** An audit during whose first repair something happens just before it is written. */
function disturbed(happens: () => Promise<unknown>) {
  const repairs: boolean[] = [];
  const audit: RowAudit = {
    ...ports.rows,
    async repair(...args) {
      if (repairs.length === 0) await happens();
      const done = await ports.rows.repair(...args);
      repairs.push(done);
      return done;
    },
  };
  return { audit, repairs };
}

/** Repairs what is wrong with the supplier's rows; gives what was found. */
async function repair(audit: RowAudit) {
  const findings: Finding[] = [];
  await verifyRows(audit, scope, [], { repair: true, report: (finding) => findings.push(finding) });
  return findings;
}

describe('repairing the rows of an invoice while it is changed', () => {
  it('leaves a row that was stray when it was seen, and is right by now [service/list]', async () => {
    const [invoice] = seeded as [Invoice];
    await spoil(engine, scope).putRows(invoice, ELSEWHERE);
    const { audit, repairs } = disturbed(() => change(invoice.invoiceId, ELSEWHERE));
    expect(await repair(audit)).toEqual([]);
    expect(repairs).toEqual([false]);
    await expectRightRows(engine, scope);
  });

  it('does not put back a row of before a change [service/list]', async () => {
    const [invoice] = seeded as [Invoice];
    await spoil(engine, scope).deleteRow(invoice, 0);
    const { audit, repairs } = disturbed(() => change(invoice.invoiceId, { ...ELSEWHERE, state: 'APR' }));
    expect(await repair(audit)).toEqual([]);
    expect(repairs).toEqual([false]);
    await expectRightRows(engine, scope);
  });

  it('leaves the rows of an invoice that did not exist when they were seen [service/list]', async () => {
    const invoice = anInvoice();
    await spoil(engine, scope).putRows(invoice);
    const { audit, repairs } = disturbed(() => seedInvoices(engine, scope, [invoice]));
    expect(await repair(audit)).toEqual([]);
    expect(repairs).toEqual([false]);
    await expectRightRows(engine, scope);
  });

  it('does no harm, however many repair', async () => {
    const [invoice] = seeded as [Invoice];
    await spoil(engine, scope).deleteRow(invoice, 0);
    const findings = await Promise.all(Array.from({ length: 5 }, () => repair(ports.rows)));
    expect(findings.flat().filter(({ kind }) => kind === 'busy')).toEqual([]);
    await expectRightRows(engine, scope);
  });
});

describe('verifying rows and counters in a storm of changes', () => {
  let invoicesSeen = 0;

  /** Verifies rows and counters once; gives all that is wrong. */
  async function verify(repairs: boolean) {
    const findings: Finding[] = [];
    invoicesSeen += await verifySupplier(ports, scope, {
      repair: repairs,
      report: (finding) => findings.push(finding),
    });
    return findings.filter(({ kind }) => kind !== 'busy');
  }

  /** Changes states, dates and texts, and imports, while some work is done; no two lanes change the same invoice. */
  async function inStorm(work: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const lanes = Array.from({ length: 3 }, async (_, lane) => {
      for (let round = 0; !over.signal.aborted; round++) {
        const { invoiceId } = seeded[1 + ((round * 3 + lane) % 18)] as Invoice;
        const sortDate = `${round % 9 === 8 ? '2026-04-02' : '2026-03-15'}T0${round % 10}:00:00.000Z`;
        await change(invoiceId, { state: round % 2 === 0 ? 'APR' : 'REV', sortDate, city: `${round}` }, round);
        if (round % 10 === 0) await seedInvoices(engine, scope, [anInvoice()]);
        // Room for a count to come through now and then.
        if (round % 5 === 0) await sleep(60);
      }
    });
    await work().finally(() => over.abort());
    await Promise.all(lanes);
  }

  async function expectAllRight() {
    const { stored, counted } = await dayCounters(engine, scope);
    expect(stored).toEqual(counted);
  }

  it('finds nothing wrong, and does no harm', async () => {
    await inStorm(async () => {
      for (const repairs of [false, true, false, true]) expect(await verify(repairs)).toEqual([]);
    });
    expect(invoicesSeen).toBeGreaterThan(0);
    await expectAllRight();
  });

  it('finds exactly what is wrong, and takes no counter for wrong because of it', async () => {
    const [quiet] = seeded as [Invoice];
    // Only months with invoices or counters are looked at.
    await seedInvoices(engine, scope, [anInvoice({ invoiceDate: '2026-04-01' })]);
    const behindItsBack = spoil(engine, scope);
    await behindItsBack.deleteRow(quiet, 0);
    await behindItsBack.putRows(quiet, { sortDate: '2026-04-02T00:00:00.000Z' }, [0]);
    const row = { kind: 'row', invoiceId: quiet.invoiceId, list: 'all' };
    const wrong = (repaired: boolean) => [
      { ...row, fault: 'missing', date: '2026-03-15T10:30:00.000Z', repaired },
      { ...row, fault: 'stray', date: '2026-04-02T00:00:00.000Z', repaired },
    ];
    await inStorm(async () => {
      for (let round = 0; round < 2; round++) expect(await verify(false)).toEqual(wrong(false));
    });
    expect(await verify(false)).toEqual(wrong(false));
    expect(await verify(true)).toEqual(wrong(true));
    await expectAllRight();
  });

  it('repairs what is spoiled meanwhile', async () => {
    const behindItsBack = spoil(engine, scope);
    await inStorm(async () => {
      for (let round = 0; round < 5; round++) {
        const invoice = seeded[round] as Invoice;
        await behindItsBack.putRows(invoice, { sortDate: `2026-03-2${round}T00:00:00.000Z` });
        await behindItsBack.deleteRow(invoice, 1);
        await repair(ports.rows);
      }
    });
    await verify(true);
    expect(await verify(false)).toEqual([]);
    await expectAllRight();
  });
});
