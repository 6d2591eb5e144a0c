import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Commit, createCommandTransaction } from '../../../infra/ops/tables/command-transaction.ts';
import { withState } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { createTableClient } from '../../../lib/tables/dynamodb/table-client.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredHistory, readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const author = { changedBy: 'carol', reason: 'test' };
let commit: Commit;
// The client of the service and of the commands, whose calls end by the deadline.
beforeAll(() => {
  const { Invoices, Declarations } = portal.engine.tables;
  commit = createCommandTransaction(createTableClient(), { invoices: Invoices, declarations: Declarations });
});

/** Creates an invoice, and plans its change to LIQ now. */
async function planChange(invoice: Partial<Invoice> = {}) {
  const scope = { tenant: 'commands.example', supplierId: newId() };
  const [before] = await seedInvoices(portal.engine, scope, [buildInvoice({ invoiceId: '1', ...invoice })]);
  const after = withState(before as Invoice, 'LIQ', new Date());
  portal.proxy.reset();
  return {
    scope,
    commitChange: () => commit(scope, [{ before: before as Invoice, after, author }], 'command-1'),
    readVersion: async () => (await readStoredInvoices(portal.engine, scope)).get('1')?.['version'],
  };
}

const countWrites = () => portal.proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').length;

describe('createCommandTransaction', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());
  const waitMs = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it('a command writes a change that it has planned less than 20 seconds before', async () => {
    const { scope, commitChange } = await planChange();
    waitMs(18_000);
    expect(await commitChange()).toEqual({ kind: 'committed' });
    const change = { kind: 'state', version: 2, command_id: 'command-1', changed_by: 'carol' };
    expect(await readStoredHistory(portal.engine, scope, '1')).toMatchObject([change]);
  });

  it('a command does not repeat a failed call after 20 seconds, and its outcome is unknown', async () => {
    const { commitChange, readVersion } = await planChange();
    portal.proxy.onCall = () => void waitMs(20_000);
    portal.proxy.injectFault({ how: 'error', operation: 'TransactWriteItems' });
    await expect(commitChange()).rejects.toThrow();
    portal.proxy.onCall = () => undefined;
    expect([countWrites(), await readVersion()]).toEqual([1, 1]);
  });

  it('a command writes a change of an invoice whose previous change has a time in the future', async () => {
    const changedAt = '2099-12-31T23:59:59.000Z';
    const { scope, commitChange } = await planChange({ changedAt });
    expect(await commitChange()).toEqual({ kind: 'committed' });
    expect(await readStoredHistory(portal.engine, scope, '1')).toMatchObject([
      { changed_at: '2099-12-31T23:59:59.001Z' },
    ]);
  });
});
