import { beforeEach, describe, expect, it } from 'vitest';
import { changeState } from '../../../lib/admin/invoices/change-state.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { createInvoiceTable } from '../../../lib/storage/invoices/invoice-table.ts';
import type { Commit, InvoiceChange } from '../../../lib/services/transactions.ts';
import { createInvoiceTransaction } from '../../../lib/storage/invoices/invoice-transaction.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { dayCounters, storedInvoices, storedStateChanges } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let call: Invoke;
let invoice: ReturnType<typeof anInvoice>;

beforeEach(async () => {
  const caller = await portal.newCaller();
  ({ scope } = caller.account);
  ({ call } = caller);
  invoice = anInvoice({ state: 'REV' });
  await seedInvoices(portal.engine, scope, [invoice]);
});

const stored = async () => (await storedInvoices(portal.engine, scope)).get(invoice.invoiceId);
const changes = () => storedStateChanges(portal.engine, scope, invoice.invoiceId);
const declare = (amount: number) => call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount } });
const author = { changedBy: 'carol', reason: 'a test', clock: { now: () => new Date('2026-07-02T08:00:00.000Z') } };

function committer({ client, tables } = portal.engine): Commit<InvoiceChange> {
  return createInvoiceTransaction(client, { invoices: tables.Invoices, declarations: tables.Declarations });
}

async function found() {
  const { client, tables } = portal.engine;
  const current = await createInvoiceTable(client, tables.Invoices).get(scope, invoice.invoiceId);
  if (!current) throw new Error('The invoice is gone.');
  return { scope, invoice: current };
}

async function expectRightCounters() {
  const { stored: counters, counted } = await dayCounters(portal.engine, scope);
  expect(counters).toEqual(counted);
}

describe('a change of state', () => {
  it('is possible from every state to every other, with one entry each in the history', async () => {
    const expected: string[][] = [];
    let current = 'REV';
    for (const to of STATE_CODES.flatMap((from) => STATE_CODES.flatMap((state) => [from, state]))) {
      const change = await changeState(committer(), await found(), to, author);
      expect(change === null).toBe(to === current);
      if (change) expected.push([current, to]);
      current = to;
    }
    expect(new Set(expected.map(String)).size).toBe(STATE_CODES.length * (STATE_CODES.length - 1));
    expect((await changes()).map((change) => [change['from_state'], change['to_state']])).toEqual(expected);
    expect(await stored()).toMatchObject({ version: 1 + expected.length });
    await expectRightCounters();
  });

  it('of several at once is one after the other, with nothing lost', async () => {
    const start = await found();
    const targets = ['PEN', 'ENV', 'APR', 'REC', 'LIQ'] as const;
    await Promise.all(targets.map((state) => changeState(committer(), start, state, author)));
    const history = await changes();
    expect(history.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    expect(new Set(history.map((change) => change['to_state']))).toEqual(new Set(targets));
    expect(history.map((change) => change['from_state'])).toEqual([
      'REV',
      ...history.slice(0, -1).map((change) => change['to_state']),
    ]);
    expect(await stored()).toMatchObject({ state_code: history.at(-1)?.['to_state'], version: 6 });
    await expectRightCounters();
  });

  it('that a declaration overtakes begins where the declaration ended, and keeps what was declared', async () => {
    const start = await found();
    await declare(invoice.systemAmount.toNumber() * 2);
    expect(await changeState(committer(), start, 'LIQ', author)).toMatchObject({ from: 'REV', to: 'LIQ', version: 3 });
    expect(await stored()).toMatchObject({ state_code: 'LIQ', declared_amount: 2000, declaration_revision: 1 });
    await expectRightCounters();
  });

  it('that others have made meanwhile is not made again', async () => {
    const start = await found();
    await changeState(committer(), start, 'LIQ', author);
    expect(await changeState(committer(), start, 'LIQ', author)).toBeNull();
    expect(await changes()).toHaveLength(1);
  });

  it('that meets a TransactionConflict is tried again, and made once', async () => {
    portal.proxy.conflict(2);
    await changeState(committer(portal.proxy.engine), await found(), 'LIQ', author);
    expect(portal.proxy.calls.map(({ operation }) => operation)).toEqual(Array(3).fill('TransactWriteItems'));
    expect(await changes()).toHaveLength(1);
  });

  it('that loses every race is given up, and says so', async () => {
    let attempts = 0;
    const loser: Commit<InvoiceChange> = async () => {
      attempts++;
      return { kind: 'conflict', current: [] };
    };
    const start = { scope, invoice };
    await expect(changeState(loser, start, 'LIQ', author)).rejects.toThrow('kept being changed by others');
    expect(attempts).toBe(10);
  });
});
