import { toInvoiceDetail } from '../../../lib/contracts/wire.ts';
import { EXIT, runCommand } from '../command.ts';
import { createToleranceFinder } from '../../../lib/admin/find-tolerances.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';
import { findInvoice } from '../../../lib/admin/invoices/find-invoice.ts';
import { defineInvoiceCommand } from './invoice-command.ts';
import { toleranceText } from '../../../lib/admin/invoices/tolerance-text.ts';

/** `show`: an invoice as the interface shows it, and what the interface does not show of it. */
export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its declaration as it stands, and the tolerance in force.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ client, tables, output }) => {
    const { scope, invoice } = await findInvoice({ client, tables }, { tenant, invoiceId, supplierId: supplier });
    const { supplierId } = scope;
    const findTolerances = await createToleranceFinder({ client, tables }, tenant);
    const tolerance = (await findTolerances([supplierId])).get(supplierId);
    if (!tolerance) throw new UsageError(`There is no supplier ${supplierId} in ${tenant}.`);

    const { version, sortDate } = invoice;
    const detail = { supplier_id: supplierId, version, sort_date: sortDate, ...toInvoiceDetail(invoice, tolerance) };
    const { concepts, tolerance: _, ...fields } = detail;
    output.table([...rowsOf(fields), ['tolerance', toleranceText(tolerance)]]);
    output.line('');
    const [first] = concepts;
    if (first) output.table([Object.keys(first), ...concepts.map((concept) => Object.values(concept).map(String))]);
    else output.line('It has no concepts.');
    output.document(detail);
    return EXIT.done;
  }),
);

function rowsOf(fields: Readonly<Record<string, string | number | null>>): string[][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
}
