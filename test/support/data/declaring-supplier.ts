import { decideOnInvoice } from '../../../infra/ops/review/decide-on-invoice.ts';
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
import { readStoredInvoices, readStoredRevisions } from './stored-invoices.ts';

const tolerance = fromTolerance({ mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true });

/** Creates a supplier with a tolerance of 5 % and these invoices, and functions that change and read them. */
export async function createDeclaringSupplier(portal: Portal, ...invoices: readonly Invoice[]) {
  const { engine } = portal;
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  const { scope } = account;
  await seedInvoices(engine, scope, invoices);
  // Fills the caches, so that the functions are warm.
  await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/1' });

  async function post(name: CurrentName, body: object) {
    const { status, headers, body: envelope } = await call(name, { body });
    return { status, data: envelope.data, remaining: headers['X-RateLimit-Remaining'] };
  }

  return {
    account,
    /** Declares an amount for the first invoice. */
    declare: (fields: object) => post('declare-invoice', { invoice_id: invoices[0]?.invoiceId, ...fields }),
    /** Validates an amount for the first invoice. */
    validate: (fields: object) => post('validate-amount', { invoice_id: invoices[0]?.invoiceId, ...fields }),
    /** Declares one amount for each invoice, in one batch. */
    declareAll: (amounts: readonly number[]) => {
      const declarations = amounts.map((amount, index) => ({ invoice_id: invoices[index]?.invoiceId, amount }));
      return post('declare-batch', { declarations });
    },
    /** Changes the state of the first invoice, as the command `set-state` does. */
    setState: async (state: StateCode): Promise<void> => {
      const table = createInvoiceTable(engine.client, engine.tables.Invoices);
      const invoice = await table.get(scope, invoices[0]?.invoiceId ?? '');
      if (!invoice) throw new Error('The supplier has no invoice.');
      const author = { changedBy: 'carol', reason: 'test' };
      await decideOnInvoice(createAdminPorts(engine), { scope, invoice }, state, { author, force: true });
    },
    /** Imports one invoice record for this supplier. */
    importRecord: (record: object, options?: Partial<ImportOptions>) =>
      importLines(engine, scope.tenant, [{ supplier_id: scope.supplierId, ...record }], options),
    /** Reads all data that a declaration can write. */
    readStored: async () => ({
      invoices: await readStoredInvoices(engine, scope),
      revisions: await Promise.all(invoices.map(({ invoiceId }) => readStoredRevisions(engine, scope, invoiceId))),
    }),
  };
}
