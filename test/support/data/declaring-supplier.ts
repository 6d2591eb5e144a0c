import { changeState } from '../../../infra/ops/review/set-state.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from './tolerance-item.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
import type { CurrentName } from '../service/handlers.ts';
import type { Portal } from '../service/portal.ts';
import type { ImportOptions } from '../../../infra/ops/import/import-invoices.ts';
import { importLines } from './import-lines.ts';
import { seedInvoices } from './seed-invoices.ts';
import { readConsistentCounters, readStoredInvoices, readStoredRevisions } from './stored-invoices.ts';

const tolerance = fromTolerance({ mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true });

/** A supplier whose tolerance is 5 %, with its invoices, and what it and the operators do to them. */
export async function createDeclaringSupplier(portal: Portal, ...invoices: readonly Invoice[]) {
  const { engine } = portal;
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  const { scope } = account;
  await seedInvoices(engine, scope, invoices);
  // Fills what a warm function has cached.
  await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/1' });

  async function post(name: CurrentName, body: object) {
    const { status, headers, body: answer } = await call(name, { body });
    return { status, data: answer.data, remaining: headers['X-RateLimit-Remaining'] };
  }

  return {
    account,
    /** Declares the first invoice. */
    declare: (fields: object) => post('declare-invoice', { invoice_id: invoices[0]?.invoiceId, ...fields }),
    /** Checks an amount of the first invoice. */
    validate: (fields: object) => post('validate-amount', { invoice_id: invoices[0]?.invoiceId, ...fields }),
    /** Declares amounts in a batch, of the invoices in their order. */
    declareAll: (amounts: readonly number[]) => {
      const declarations = amounts.map((amount, at) => ({ invoice_id: invoices[at]?.invoiceId, amount }));
      return post('declare-batch', { declarations });
    },
    /** Moves the first invoice to a state, as `set-state` does. */
    setState: async (state: StateCode): Promise<void> => {
      const table = createInvoiceTable(engine.client, engine.tables.Invoices);
      const invoice = await table.get(scope, invoices[0]?.invoiceId ?? '');
      if (!invoice) throw new Error('There is no invoice.');
      await changeState(createAdminPorts(engine), { scope, invoice }, state, {
        changedBy: 'carol',
        reason: 'test',
        force: true,
      });
    },
    /** Imports a record of this supplier. */
    importRecord: (record: object, options?: Partial<ImportOptions>) =>
      importLines(engine, scope.tenant, [{ supplier_id: scope.supplierId, ...record }], options),
    /** Everything that a declaration can write, whose counters and rows must be right. */
    readStored: async () => ({
      invoices: await readStoredInvoices(engine, scope),
      revisions: await Promise.all(invoices.map(({ invoiceId }) => readStoredRevisions(engine, scope, invoiceId))),
      counters: await readConsistentCounters(engine, scope),
    }),
  };
}
