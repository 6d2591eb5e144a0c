import { Option } from '@commander-js/extra-typings';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, runCommand } from '../command.ts';
import { readInstants, readRange, zoneOption } from '../date-options.ts';
import { INVOICE_LIST, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
import { describeSums, Sums, sumsDocument } from './summary.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from './write-sheet.ts';

// Months can have few invoices. All rows of a page have the same column widths.
const PAGE_INVOICES = 1000;

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
      const range = readRange({ from, to, zone });
      const since = declaredSince === undefined ? null : readInstants('--declared-since', declaredSince, zone);
      const filter = { tenant, supplierIds: supplier, range, state, declaredSinceMs: since?.startMs };
      // On one terminal, the progress bar would be between the rows.
      const terminal = options.out === undefined && host.stdout.isTTY ? null : host.stderr;
      const sums = new Sums();
      const read = readReviewedInvoices(ports, filter, terminal);
      const pages = addToSums(rebatchPages(read, PAGE_INVOICES), sums);
      const end = () => ({ totals: sumsDocument(sums) });
      await printList(output, pages, INVOICE_LIST, { tenant, format, end });
      if (!format) output.line(describeSums(sums));
      await output.complete();
      if (format) output.note(describeSums(sums));
    }),
  );

async function* addToSums(pages: AsyncIterable<readonly ReviewedInvoice[]>, sums: Sums) {
  for await (const page of pages) {
    for (const invoice of page) sums.add(invoice);
    yield page;
  }
}
