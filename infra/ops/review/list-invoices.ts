import { Option } from '@commander-js/extra-typings';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { defineCommand, runCommand, type Session } from '../command.ts';
import { readRange, zoneOption } from '../date-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { hasContent } from '../output/out-file.ts';
import { printList, resolveSheetFormat, sheetOutOption } from '../output/write-sheet.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { INVOICE_LIST } from './invoice-list.ts';
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
    .option('--supplier <supplier>', 'only invoices of this supplier')
    .addOption(new Option('--state <state>', 'only invoices in this state').choices(STATE_CODES))
    .option('--from <date>', 'only invoices dated on or after this date')
    .option('--to <date>', 'only invoices dated on or before this date; a date without a time includes the whole day')
    .addOption(zoneOption)
    .addOption(sheetOutOption)
    .option('--overwrite', 'also replace an existing sheet, which can contain decisions')
    .addOption(languageOption);
}

async function listInvoices({ ports, output }: Session, tenant: string, options: Options): Promise<void> {
  const { supplier: supplierId, state, from, to, zone, out, overwrite, json, isWithdrawn } = options;
  const format = resolveSheetFormat(options);
  const replacesSheet = format !== null && out !== undefined && (await hasContent(out));
  if (replacesSheet && !overwrite) throw new OperatorError(translate(opsTexts.sheetExists(out)));
  const range = readRange({ name: '--from', date: from }, { name: '--to', date: to }, zone);
  // Only sheets and JSON contain `same_number`.
  const hasSameNumbers = format !== null || json;
  const filter = { tenant, supplierId, range, state, isWithdrawn, hasSameNumbers };
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
