import { Option } from '@commander-js/extra-typings';
import { type ReviewedInvoice, readReviewedInvoices } from '../../../lib/admin/review/reviewed-invoices.ts';
import { computeDifferences } from '../../../lib/admin/review/sheet.ts';
import { Sums } from '../../../lib/admin/review/summary.ts';
import { toInvoiceRow } from '../../../lib/contracts/to-response.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { filledPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { readInstants, readRange, zoneOffset } from '../date-options.ts';
import type { ListView } from '../output.ts';
import { csvOption, findSheetFormat, INVOICE_SHEET, sheetOutOption, writeSheet } from './write-sheet.ts';
import { showReading } from './progress.ts';
import { sumsDocument, sumsLine } from './summary.ts';

// Many a month has few: what is printed together is in columns that fit all of it.
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

/** `list-invoices`: the invoices of a tenant, as a table, for scripts, or as the sheet in which they are decided. */
export const listInvoicesCommand = defineCommand('list-invoices', {
  summary: 'List the invoices of a tenant with what is declared on them, supplier by supplier, oldest first.',
  example: 'list-invoices demo.example --state REV --from 2026-06-01 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--supplier <supplier>', 'only those of this supplier; repeatable', (id, ids: string[]) => [...ids, id], [])
  .addOption(new Option('--state <state>', 'only those in this state').choices(STATE_CODES))
  .option('--from <date>', 'only those of this date or later; lists go by the date of the invoice')
  .option('--to <date>', 'only those of this date or earlier; a date alone is its whole day')
  .option('--declared-since <time>', 'only those whose declaration, as it stands, is of this time or later')
  .option('--zone <offset>', 'the zone of dates and times without one, such as -03:00; without it UTC', zoneOffset)
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
      // On one terminal, the bar would stand within the rows.
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
