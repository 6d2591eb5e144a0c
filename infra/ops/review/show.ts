import { toInvoiceDetail, toNoticeFields } from '../../../lib/contracts/to-response.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { runCommand, type Session } from '../command.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineInvoiceCommand, findInvoice, type InvoiceQuery } from '../invoice-options.ts';

export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier: supplierId, ...options }) =>
  runCommand(options, (session) => showInvoice(session, { tenant, invoiceId, supplierId })),
);

async function showInvoice({ ports, output }: Session, query: InvoiceQuery): Promise<void> {
  const { scope, invoice } = await findInvoice(ports, query);
  const tolerances = await readTolerances(ports, scope.tenant, [scope.supplierId]);
  // Another command can erase the supplier after its invoice was read.
  const tolerance = tolerances.get(scope.supplierId) ?? selectTolerance(null, null);
  const { concepts, tolerance: toleranceFields, ...invoiceFields } = toInvoiceDetail(invoice, tolerance);
  const fields = { ...buildInternalFields(scope, invoice), ...invoiceFields };

  const rows = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
  output.table(null, [...rows, ['tolerance', describeTolerance(tolerance)]]);
  output.line('');
  const [firstConcept] = concepts;
  if (firstConcept) {
    const conceptRows = concepts.map((concept) => Object.values(concept).map(String));
    output.table(Object.keys(firstConcept), conceptRows);
  } else {
    output.line('The invoice has no concepts.');
  }
  output.document({ ...fields, concepts, tolerance: toleranceFields });
}

/** Builds the fields that suppliers do not see, or see only in the history. */
function buildInternalFields({ supplierId }: SupplierScope, invoice: Invoice) {
  const { declaration } = invoice;
  return {
    supplier_id: supplierId,
    version: invoice.version,
    sort_date: invoice.sortDate,
    held_for_review: invoice.requiresManualReview,
    withdrawn: invoice.isWithdrawn,
    declared_tax_pct: declaration?.taxPct?.toNumber() ?? null,
    revision: declaration?.revision ?? null,
    ...toNoticeFields(invoice.notice),
  };
}
