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
import { rightCounters } from '../../support/data/stored-invoices.ts';
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

describe('verifying rows and counters while other invoices are changed', () => {
  it('finds exactly what is wrong, and takes no counter for wrong because of it', async () => {
    const [quiet, ...others] = seeded as [Invoice, ...Invoice[]];
    // Only months with invoices or counters are looked at.
    await seedInvoices(engine, scope, [anInvoice({ invoiceDate: '2026-04-01' })]);
    const behindItsBack = spoil(engine, scope);
    await behindItsBack.deleteRow(quiet, 0);
    await behindItsBack.putRows(quiet, { sortDate: '2026-04-02T00:00:00.000Z' }, [0]);
    const row = { kind: 'row', invoiceId: quiet.invoiceId, list: 'all', repaired: false };
    const changing = (index: number) =>
      change(others[index]!.invoiceId, { state: 'APR', sortDate: `2026-04-02T0${index}:00:00.000Z` }, index);
    let changes = 0;
    const counters = {
      ...ports.counters,
      async recount(...args: Parameters<typeof ports.counters.recount>) {
        if (changes < 6) await changing(changes++);
        const counted = await ports.counters.recount(...args);
        if (changes < 6) await changing(changes++);
        return counted;
      },
    };
    const findings: Finding[] = [];
    const options = { repair: false, report: (finding: Finding) => findings.push(finding) };
    expect(await verifySupplier({ ...ports, counters }, scope, options)).toBe(21);
    expect(changes).toBe(6);
    expect(findings).toEqual([
      { ...row, fault: 'missing', date: '2026-03-15T10:30:00.000Z' },
      { ...row, fault: 'stray', date: '2026-04-02T00:00:00.000Z' },
    ]);
    await repair(ports.rows);
    await rightCounters(engine, scope);
  });
});
