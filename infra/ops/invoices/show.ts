import { OperatorError } from '../errors.ts';
import { createToleranceFinder } from '../directory/read-directory.ts';
import { toInvoiceDetail } from '../../../lib/contracts/to-response.ts';
import { runCommand } from '../command.ts';
import { toleranceText } from '../tolerance-text.ts';
import { defineInvoiceCommand, findInvoice } from './invoice-options.ts';

/** `show`: prints an invoice with all its fields. */
export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ ports, output }) => {
    const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
    const findTolerances = await createToleranceFinder(ports, tenant);
    const tolerance = (await findTolerances([scope.supplierId])).get(scope.supplierId);
    if (!tolerance) throw new OperatorError(`Supplier ${scope.supplierId} of ${tenant} does not exist.`);
    const { version, sortDate, requiresManualReview, declaration } = invoice;
    const extras = {
      supplier_id: scope.supplierId,
      version,
      sort_date: sortDate,
      held_for_review: requiresManualReview,
      declared_tax_pct: declaration?.taxPct?.toNumber() ?? null,
      revision: declaration?.revision ?? null,
    };
    const detail = { ...extras, ...toInvoiceDetail(invoice, tolerance) };
    const { concepts, tolerance: _, ...fields } = detail;
    output.table(null, [...toRows(fields), ['tolerance', toleranceText(tolerance)]]);
    output.line('');
    const [first] = concepts;
    if (first) {
      const rows = concepts.map((concept) => Object.values(concept).map(String));
      output.table(Object.keys(first), rows);
    } else output.line('The invoice has no concepts.');
    output.document(detail);
  }),
);

function toRows(fields: Readonly<Record<string, string | number | boolean | null>>): string[][] {
  return Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
}
