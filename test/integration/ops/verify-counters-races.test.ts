import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { type Finding, verifyMonth, verifySupplier } from '../../../infra/ops/invoices/verify-counters.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import type { MonthCounts } from '../../../infra/ops/tables/audits.ts';
import { newId } from '../../support/data/seed.ts';
import { changeInvoice, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const RUNS = 60;
const MONTH = '2026-03';
const DATES = ['2026-03-15T10:30:00.000Z', '2026-03-16T00:00:00.000Z', '2026-04-02T00:00:00.000Z'];

const engine = useEngine();
let scope: SupplierScope;
beforeEach(() => {
  scope = { tenant: 'races.example', supplierId: newId() };
});

const READ_ROWS = 'QueryCommand';
const READ_ROW = 'TransactGetCommand';
const WRITE = 'TransactWriteCommand';

/** Creates ports that wait for `before` ahead of each call, with the names of the calls. */
function createDisturbedPorts(before: (call: string) => Promise<void>) {
  const calls: string[] = [];
  const send = async (command: Parameters<typeof engine.client.send>[0]) => {
    const call = command.constructor.name;
    calls.push(call);
    await before(call);
    return engine.client.send(command);
  };
  const client = new Proxy(engine.client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return { ports: createAdminPorts({ client, tables: engine.tables }), calls };
}

/** A change of an invoice by the service, or a new invoice, before a call of the audit. */
const changes = fc.record({
  before: fc.constantFrom(READ_ROWS, READ_ROWS, READ_ROW, WRITE, WRITE),
  isNew: fc.nat({ max: 5 }).map((number) => number === 0),
  state: fc.constantFrom('PEN' as const, 'APR' as const),
  sortDate: fc.constantFrom(...DATES),
});
/** A row of the invoice that is deleted (no date) or added, or a counter that changes without an invoice. */
const rowDamages = fc.record({
  list: fc.constantFrom(0 as const, 1 as const),
  sortDate: fc.constantFrom(undefined, undefined, ...DATES.slice(1)),
});
const counterDamages = fc.record({ counter: fc.constantFrom('15PEN', '15', '02APR'), added: fc.constantFrom(-1, 1) });
const damages = fc.oneof({ arbitrary: rowDamages, weight: 3 }, { arbitrary: counterDamages, weight: 1 });

it('verify-counters during writes reports no difference that the service makes, and leaves exact rows and counters', async () => {
  const property = fc.asyncProperty(
    fc.array(damages, { minLength: 1, maxLength: 2 }),
    fc.array(changes, { maxLength: 4 }),
    fc.constantFrom(0, 1, 1, 2),
    async (damaged, changed, repairers) => {
      scope = { tenant: 'races.example', supplierId: newId() };
      const seeds = [anInvoice(), anInvoice(), anInvoice({ invoiceDate: '2026-04-01' })];
      const [invoice] = (await seedInvoices(engine, scope, seeds)) as [Invoice];
      for (const damage of damaged) {
        if ('counter' in damage) await spoil(engine, scope).addTo(MONTH, 0, damage.counter, damage.added);
        else if (damage.sortDate === undefined) await spoil(engine, scope).deleteRow(invoice, damage.list);
        else await spoil(engine, scope).putRows(invoice, { sortDate: damage.sortDate }, [damage.list]);
      }
      const waiting = [...changed];
      const write = async (call: string) => {
        const [change] = waiting.splice(waiting.findIndex(({ before }) => before === call) >>> 0, 1);
        if (!change) return;
        const { state, sortDate, isNew } = change;
        if (isNew) await seedInvoices(engine, scope, [anInvoice({ state, invoiceDate: sortDate })]);
        else await changeInvoice(engine, scope, invoice.invoiceId, { state, sortDate });
      };
      const { ports, calls } = createDisturbedPorts(write);
      const verify = async (repair: boolean, audit = ports) => {
        const findings: Finding[] = [];
        await verifySupplier(audit, scope, { repair, report: (finding) => findings.push(finding) });
        return findings;
      };
      const runs = repairers === 0 ? [verify(false)] : Array.from({ length: repairers }, () => verify(true));
      const found = (await Promise.all(runs)).flat();

      const isRowDamaged = damaged.some((damage) => 'list' in damage);
      const isCounterDamaged = damaged.some((damage) => 'counter' in damage);
      for (const { kind } of found) expect(kind === 'row' ? isRowDamaged : isCounterDamaged).toBe(true);
      if (repairers === 0) {
        expect(calls).not.toContain(WRITE);
        return;
      }
      expect(await verify(false, createAdminPorts(engine))).toEqual([]);
      await rightCounters(engine, scope);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

/** Verifies March with a count that a test disturbs, and returns the count and the findings. */
async function verifyMarch(disturb: (recount: () => Promise<MonthCounts>) => Promise<MonthCounts>) {
  const { counters } = createAdminPorts(engine);
  const findings: Finding[] = [];
  const recount = () => disturb(() => counters.recount(scope, MONTH, new Set()));
  const options = { repair: true, report: (finding: Finding) => findings.push(finding), distrusted: new Set<string>() };
  return [await verifyMonth({ ...counters, recount }, scope, MONTH, options), ...findings];
}

it('a difference that a second count does not find is not repaired', async () => {
  await seedInvoices(engine, scope, [anInvoice(), anInvoice()]);
  let counts = 0;
  // The writes of one transaction become visible one by one.
  const verified = await verifyMarch(
    async (recount) => new Map([...(await recount()), ...(counts++ === 0 ? ([['15PEN', 1]] as const) : [])]),
  );
  expect(verified).toEqual([2]);
  await rightCounters(engine, scope);
});

it('a month that changes during every count, and changes back, is busy', { tags: 'long' }, async () => {
  const [invoice] = (await seedInvoices(engine, scope, [anInvoice(), anInvoice()])) as [Invoice];
  const verified = await verifyMarch(async (recount) => {
    await changeInvoice(engine, scope, invoice.invoiceId, { state: 'APR' }, 1);
    const counted = await recount();
    await changeInvoice(engine, scope, invoice.invoiceId, { state: 'PEN' }, 1);
    return counted;
  });
  expect(verified).toEqual([0, { kind: 'busy', month: MONTH }]);
});
