import { toInvoiceDetail, toNoticeFields } from '../../../lib/contracts/to-response.ts';
import { readTolerances } from '../directory/read-directory.ts';
import { runCommand } from '../command.ts';
import { describeTolerance } from '../directory/tolerances.ts';
import { defineInvoiceCommand, findInvoice } from '../invoice-options.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import { languageOption } from '../texts/language.ts';
import { CHANGE_LIST, listFieldChanges } from './change-list.ts';

export const showCommand = defineInvoiceCommand('show', {
  summary: 'Show an invoice with its concepts, its current declaration, and its tolerance.',
  example: 'show demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ ports, output }) => {
    const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, 'any');
    const tolerances = await readTolerances(ports, tenant, [scope.supplierId]);
    // `findInvoice` has found the supplier.
    const tolerance = tolerances.get(scope.supplierId)!;
    const document = {
      supplier_id: scope.supplierId,
      version: invoice.version,
      sort_date: invoice.sortDate,
      held_for_review: invoice.requiresManualReview,
      withdrawn: invoice.isWithdrawn,
      declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
      revision: invoice.declaration?.revision ?? null,
      ...toNoticeFields(invoice.notice),
      ...toInvoiceDetail(invoice, tolerance),
    };
    const { concepts, tolerance: _, ...fields } = document;
    const rows = Object.entries(fields).map(([name, value]) => [name, String(value ?? '-')]);
    output.table(null, [...rows, ['tolerance', describeTolerance(tolerance)]]);
    output.line('');
    const conceptRows = concepts.map((concept) => Object.values(concept).map(String));
    if (concepts[0]) output.table(Object.keys(concepts[0]), conceptRows);
    else output.line('The invoice has no concepts.');
    output.document(document);
  }),
);

export const historyCommand = defineInvoiceCommand('history', {
  summary: 'List the declarations on an invoice, and all its other changes, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .addOption(languageOption)
  .action((tenant, invoiceId, { supplier, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, 'any');
      const history = listFieldChanges(scope, await ports.histories.read(scope, invoiceId), invoice);
      async function* readPages() {
        yield history;
      }
      await printList(output, readPages(), CHANGE_LIST, { tenant, format });
    }),
  );
