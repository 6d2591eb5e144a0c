import { readHistory } from '../../../lib/admin/invoices/invoice-history.ts';
import { EXIT, runCommand } from '../command.ts';
import { HISTORY_HEADER, toDocument, toRow } from './history-rows.ts';
import { defineInvoiceCommand } from './invoice-command.ts';

/** `history`: what was declared on an invoice, under which rule, and who changed its state. */
export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show everything that was declared on an invoice, and every change of its state, oldest first.',
  example: 'history demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ installation, output }) => {
    const { scope, entries } = await readHistory(installation, { tenant, invoiceId, supplierId: supplier });
    if (entries.length === 0) output.line('Nothing was declared, and the state was never changed.');
    else output.table(HISTORY_HEADER, entries.map(toRow));
    const documents = entries.map(toDocument);
    output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
    return EXIT.done;
  }),
);
