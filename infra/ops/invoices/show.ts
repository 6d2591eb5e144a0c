import { findInvoice, type InvoiceRef } from '../../../lib/admin/invoices/find-invoice.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { OwnedInvoice } from '../../../lib/storage/invoices/invoice-table.ts';
import { createToleranceFinder } from '../../../lib/admin/directory/tolerances.ts';
import { toInvoiceDetail } from '../../../lib/contracts/to-response.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';
import { EXIT, runCommand } from '../command.ts';
import { toleranceText } from '../tolerance-text.ts';
import { defineInvoiceCommand } from './invoice-options.ts';

/** `show`: prints an invoice with all its fields. */
export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ ports, output }) => {
    const name = { tenant, invoiceId, supplierId: supplier };
    const { scope, invoice, tolerance } = await showInvoice(ports, name);
    const { version, sortDate, heldForReview, declaration } = invoice;
    const extras = {
      supplier_id: scope.supplierId,
      version,
      sort_date: sortDate,
      held_for_review: heldForReview,
      declared_tax_pct: declaration?.taxPct?.toNumber() ?? null,
      revision: declaration?.revision ?? null,
    };
    const detail = { ...extras, ...toInvoiceDetail(invoice, tolerance) };
    const { concepts, tolerance: _, ...fields } = detail;
    output.table(null, [...rowsOf(fields), ['tolerance', toleranceText(tolerance)]]);
    output.line('');
    const [first] = concepts;
    if (first) {
      const rows = concepts.map((concept) => Object.values(concept).map(String));
      output.table(Object.keys(first), rows);
    } else output.line('It has no concepts.');
    output.document(detail);
    return EXIT.done;
  }),
);

function rowsOf(fields: Readonly<Record<string, string | number | boolean | null>>): string[][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
}

/** An invoice, and the tolerance in force for it. */
async function showInvoice(
  ports: Pick<AdminPorts, 'records' | 'invoices'>,
  name: InvoiceRef,
): Promise<OwnedInvoice & { readonly tolerance: Tolerance }> {
  const found = await findInvoice(ports, name);
  const { tenant, supplierId } = found.scope;
  const findTolerances = await createToleranceFinder(ports, tenant);
  const tolerance = (await findTolerances([supplierId])).get(supplierId);
  if (!tolerance) throw new OperatorError(`Supplier ${supplierId} of ${tenant} does not exist.`);
  return { ...found, tolerance };
}
