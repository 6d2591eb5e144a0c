import { Option } from '@commander-js/extra-typings';
import { type ReviewedInvoice, readReviewedInvoices } from '../../../lib/admin/review/reviewed-invoices.ts';
import { computeDifferences } from '../../../lib/admin/review/sheet.ts';
import { Sums } from '../../../lib/admin/review/summary.ts';
import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { filledPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { readInstants, readRange, zoneOption } from '../date-options.ts';
import type { ListView } from '../output.ts';
import { csvOption, findSheetFormat, INVOICE_SHEET, sheetOutOption, writeSheet } from './write-sheet.ts';
import { showReading } from './progress.ts';
import { sumsDocument, sumsLine } from './summary.ts';

// Months can have few invoices. All rows of a page have the same column widths.
const PAGE_INVOICES = 1000;

const view: ListView<ReviewedInvoice> = {
  header: ['supplier', 'invoice', 'date', 'system', 'declared', 'tax %', 'difference', '%', 'state', 'declared at'],
  toRow(invoice) {
    const { supplierId, invoiceId, invoiceDate, systemAmount, declaration, state, declaredAt } = invoice;
    const { difference, differencePct } = computeDifferences(invoice);
    const amounts = [systemAmount, declaration?.amount, declaration?.taxPct, difference, differencePct];
    const texts = amounts.map((amount) => amount?.toFixed() ?? '-');
    return [supplierId, invoiceId, invoiceDate ?? '-', ...texts, state, declaredAt ?? '-'];
  },
  toDocument: (invoice) => ({
    supplier_id: invoice.supplierId,
    ...toInvoiceRow(invoice),
    declared_tax_pct: invoice.declaration?.taxPct?.toNumber() ?? null,
    revision: invoice.declaration?.revision ?? null,
    declared_at: invoice.declaredAt,
  }),
};

/** `list-invoices`: prints the invoices of a tenant as a table, as JSON, or as a review sheet. */
export const listInvoicesCommand = defineCommand('list-invoices', {
  summary: 'List the invoices of a tenant with their declarations, supplier by supplier, oldest first.',
  example: 'list-invoices demo.example --state REV --from 2026-06-01 --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .option('--supplier <supplier>', 'only of this supplier; repeatable', (id, ids: string[]) => [...ids, id], [])
  .addOption(new Option('--state <state>', 'only in this state').choices(STATE_CODES))
  .option('--from <date>', 'only of this date or later, by the date of the invoice')
  .option('--to <date>', 'only of this date or earlier; a date without a time is its whole day')
  .option('--declared-since <time>', 'only with a current declaration of this time or later')
  .addOption(zoneOption)
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .action((tenant, { supplier, state, from, to, declaredSince, zone, csv, ...options }) =>
    runCommand(options, async ({ ports, output, host }) => {
      const format = findSheetFormat({ csv, ...options });
      const since = declaredSince === undefined ? null : readInstants('--declared-since', declaredSince, zone);
      const wanted = {
        tenant,
        supplierIds: supplier,
        range: readRange({ from, to, zone }),
        state: state ?? null,
        declaredSince: since && new Date(since.startMs),
      };
      // On one terminal, the progress bar would be between the rows.
      const progress =
        host.stderr.isTTY && (options.out !== undefined || !host.stdout.isTTY) ? showReading(host.stderr) : null;
      const sums = new Sums();
      const read = readReviewedInvoices(ports, wanted, { progress: (soFar) => progress?.update(soFar) });
      const pages = addedUp(filledPages(read, PAGE_INVOICES), sums);
      try {
        if (format) await writeSheet(output, pages, INVOICE_SHEET, format);
        else await output.list({ tenant }, 'invoices', pages, { ...view, end: () => ({ totals: sumsDocument(sums) }) });
      } finally {
        progress?.stop();
      }
      if (!format) output.line(sumsLine(sums));
      await output.complete();
      if (format) output.note(sumsLine(sums));
      return EXIT.done;
    }),
  );

async function* addedUp(pages: AsyncIterable<readonly ReviewedInvoice[]>, sums: Sums) {
  for await (const page of pages) {
    for (const invoice of page) sums.add(invoice);
    yield page;
  }
}
