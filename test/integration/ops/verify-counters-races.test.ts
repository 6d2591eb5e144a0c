import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { verifySupplier } from '../../../infra/ops/invoices/verify-counters.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { changeInvoice } from '../../support/data/change-invoice.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
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

/** Creates an audit whose calls `intercept` can precede, follow or replace. */
function createInterceptedAudit(intercept: (command: string, send: () => Promise<object>, input: object) => unknown) {
  const send = async (command: Parameters<typeof engine.client.send>[0]) =>
    intercept(command.constructor.name, () => engine.client.send(command), command.input);
  const client = new Proxy(engine.client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return createAdminPorts({ client, tables: engine.tables }).lists;
}

/** Verifies the supplier; returns the number of its invoices, and the kinds of all findings. */
async function verify(repair: boolean, audit = createAdminPorts(engine).lists) {
  const kinds: string[] = [];
  const invoices = await verifySupplier(audit, scope, repair, (_, __, finding) => {
    kinds.push((finding as { kind: string }).kind);
  });
  return { invoices, kinds };
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
      const calls: string[] = [];
      const audit = createInterceptedAudit(async (call, send) => {
        calls.push(call);
        await write(call);
        return send();
      });
      const runs = Array.from({ length: repairers || 1 }, () => verify(repairers > 0, audit));
      const found = (await Promise.all(runs)).flatMap(({ kinds }) => kinds);

      const isRowDamaged = damaged.some((damage) => 'list' in damage);
      const isCounterDamaged = damaged.some((damage) => 'counter' in damage);
      for (const kind of found) expect(kind === 'row' ? isRowDamaged : isCounterDamaged).toBe(true);
      if (repairers === 0) {
        expect(calls).not.toContain(WRITE);
        return;
      }
      expect((await verify(false)).kinds).toEqual([]);
      await rightCounters(engine, scope);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

/** Creates an audit in which `intercept` replaces the counting of the rows of a month. */
function createAuditWithCount(intercept: (count: () => Promise<object>) => Promise<object>) {
  return createInterceptedAudit((_, send, input) =>
    'ProjectionExpression' in input && String(input.ProjectionExpression).includes('search_text')
      ? intercept(send)
      : send(),
  );
}

it('a difference that a second count does not find is not repaired', async () => {
  await seedInvoices(engine, scope, [anInvoice(), anInvoice()]);
  let counts = 0;
  // The writes of one transaction become visible one by one.
  const audit = createAuditWithCount(async (count) => (counts++ === 0 ? {} : count()));
  expect([await verify(true, audit), counts]).toEqual([{ invoices: 2, kinds: [] }, 2]);
  await rightCounters(engine, scope);
});

it('a month that changes during every count, and changes back, is busy', { tags: 'long' }, async () => {
  const [invoice] = (await seedInvoices(engine, scope, [anInvoice(), anInvoice()])) as [Invoice];
  const audit = createAuditWithCount(async (count) => {
    await changeInvoice(engine, scope, invoice.invoiceId, { state: 'APR' }, 1);
    const counted = await count();
    await changeInvoice(engine, scope, invoice.invoiceId, { state: 'PEN' }, 1);
    return counted;
  });
  expect(await verify(true, audit)).toEqual({ invoices: 0, kinds: ['busy'] });
});
