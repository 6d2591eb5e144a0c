import { Option } from '@commander-js/extra-typings';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { defineCommand, readInstants, readRange, runCommand, type Session, zoneOption } from '../command.ts';
import { csvOption, resolveSheetFormat, sheetOutOption } from '../output/sheet-options.ts';
import { printList } from '../output/write-sheet.ts';
import { languageOption } from '../texts/language.ts';
import { INVOICE_LIST } from './invoice-list.ts';
import { requireNoDecisions } from './review-sheet.ts';
import { type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
import { Totals } from './totals.ts';

export const listInvoicesCommand = defineListCommand('list-invoices', {
  summary: 'List the invoices of a tenant with their declarations, supplier by supplier, oldest first.',
  example: 'list-invoices demo.example --state REV --from 2026-06-01 --local',
}).action((tenant, options) =>
  runCommand(options, (session) => listInvoices(session, tenant, { ...options, isWithdrawn: false })),
);

export const listWithdrawnCommand = defineListCommand('list-withdrawn', {
  summary: 'List the withdrawn invoices of a tenant, which other lists do not contain.',
  example: 'list-withdrawn demo.example --supplier 200 --local',
}).action((tenant, options) =>
  runCommand(options, (session) => listInvoices(session, tenant, { ...options, isWithdrawn: true })),
);

type Options = ReturnType<ReturnType<typeof defineListCommand>['opts']> & { readonly isWithdrawn: boolean };

function defineListCommand(name: string, text: { summary: string; example: string }) {
  return defineCommand(name, text)
    .argument('<tenant>', 'tenant of the invoices')
    .addOption(
      new Option('--supplier <supplier>', 'only this supplier; repeatable')
        .argParser((id, ids: readonly string[]) => [...ids, id])
        .default([], 'all suppliers'),
    )
    .addOption(new Option('--state <state>', 'only invoices in this state').choices(STATE_CODES))
    .option('--from <date>', 'only invoices dated on or after this date')
    .option('--to <date>', 'only invoices dated on or before this date; a date without a time includes the whole day')
    .option('--declared-since <time>', 'only invoices whose current declaration was made at this time or later')
    .addOption(zoneOption)
    .addOption(csvOption)
    .addOption(sheetOutOption)
    .option('--overwrite', 'also replace a file of --out that contains decisions')
    .addOption(languageOption);
}

async function listInvoices({ ports, output }: Session, tenant: string, options: Options): Promise<void> {
  const { supplier: supplierIds, state, from, to, declaredSince, zone, out, overwrite, json, isWithdrawn } = options;
  const format = resolveSheetFormat(options);
  if (out !== undefined && !overwrite) await requireNoDecisions(out, format);
  const range = readRange(['--from', from], ['--to', to], zone);
  const declaredSinceMs =
    declaredSince === undefined ? undefined : readInstants('--declared-since', declaredSince, zone).startMs;
  // Only sheets and JSON contain `same_number`.
  const hasSameNumbers = format !== null || json;
  const filter = { tenant, supplierIds, range, state, declaredSinceMs, isWithdrawn, hasSameNumbers };
  const totals = new Totals();
  const pages = addToTotals(totals, readReviewedInvoices(ports, filter));
  const end = () => ({ totals: totals.toDocument() });
  await printList(output, pages, INVOICE_LIST, { tenant, format, end });

  if (!format) output.line(totals.describe());
  await output.complete();
  // A sheet contains only invoices, so its totals are printed on standard error.
  if (format) output.note(totals.describe());
}

/** Yields the same pages, and adds their invoices to the totals. */
async function* addToTotals(totals: Totals, pages: AsyncIterable<readonly ReviewedInvoice[]>) {
  for await (const page of pages) {
    for (const invoice of page) totals.add(invoice);
    yield page;
  }
}
