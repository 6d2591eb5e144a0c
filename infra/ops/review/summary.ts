import type { DateRange } from '../../../lib/domain/date-range.ts';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { defineCommand, matching, runCommand, type Session } from '../command.ts';
import { readRange, zoneOption } from '../date-options.ts';
import { outOption } from '../output/out-file.ts';
import type { Output } from '../output/output.ts';
import { languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
import { Totals } from './totals.ts';

const command = defineCommand('summary', {
  summary: 'Print the totals of a month by state and by supplier.',
  example: 'summary demo.example --month 2026-08 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .requiredOption(
    '--month <month>',
    'month of the invoices, such as 2026-08',
    matching(/^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/, 'a month, such as 2026-08'),
  )
  .option('--repeated-numbers', 'also print the own invoice numbers that several invoices of a supplier have')
  .addOption(zoneOption)
  .addOption(outOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const summaryCommand = command.action((tenant, options) =>
  runCommand(options, (session) => printSummary(session, tenant, options)),
);

async function printSummary({ ports, output }: Session, tenant: string, options: Options): Promise<void> {
  const { month, zone = 'Z', repeatedNumbers: hasSameNumbers } = options;
  const range = readMonthRange(month, zone);
  const listed = await summarize(readReviewedInvoices(ports, { tenant, range, hasSameNumbers }));
  const withdrawn = await summarize(readReviewedInvoices(ports, { tenant, range, isWithdrawn: true }));
  const states = STATE_CODES.flatMap((code) => {
    const totals = listed.byState.get(code);
    return totals ? [{ state_code: code, state_name: INVOICE_STATES[code].name, totals }] : [];
  });
  const stateRows = states.map((state) => [`${state.state_code} ${state.state_name}`, state.totals] as const);
  printTotals(output, opsTexts.titles.state, stateRows);
  printTotals(output, opsTexts.titles.supplier, listed.bySupplier);
  if (hasSameNumbers) printRepeatedNumbers(output, listed.repeatedNumbers);
  output.line(listed.totals.describe());
  output.line(`${translate(opsTexts.withdrawn)}: ${withdrawn.totals.describe()}`);
  output.document({
    tenant,
    month,
    zone,
    states: states.map(({ totals, ...state }) => ({ ...state, ...totals.toDocument() })),
    suppliers: Array.from(listed.bySupplier, ([id, totals]) => ({ supplier_id: id, ...totals.toDocument() })),
    totals: listed.totals.toDocument(),
    withdrawn: withdrawn.totals.toDocument(),
    repeated_numbers: hasSameNumbers ? listed.repeatedNumbers : undefined,
  });
}

function readMonthRange(month: string, zone: string): DateRange {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number);
  // Day 0 of the next month is the last day of this one. `Date.UTC` counts months from 0.
  const lastDay = new Date(Date.UTC(year, monthNumber, 0)).getUTCDate();
  const name = '--month';
  return readRange({ name, date: `${month}-01` }, { name, date: `${month}-${lastDay}` }, zone);
}

/** An own invoice number that several invoices of a supplier have. */
interface RepeatedNumber {
  readonly supplier_id: string;
  readonly provider_invoice_number: string;
  readonly invoice_ids: readonly string[];
}

/** Adds up all invoices, and those of each state and supplier. Finds repeated numbers, if they were read. */
async function summarize(pages: AsyncIterable<readonly ReviewedInvoice[]>) {
  const totals = new Totals();
  const byState = new Map<string, Totals>();
  const bySupplier = new Map<string, Totals>();
  const numbersByOldestInvoice = new Map<string, RepeatedNumber>();
  for await (const page of pages) {
    for (const invoice of page) {
      totals.add(invoice);
      addToGroup(byState, invoice.state, invoice);
      addToGroup(bySupplier, invoice.supplierId, invoice);
      addRepeatedNumber(numbersByOldestInvoice, invoice);
    }
  }
  return { totals, byState, bySupplier, repeatedNumbers: [...numbersByOldestInvoice.values()] };
}

function addToGroup(groups: Map<string, Totals>, key: string, invoice: ReviewedInvoice): void {
  const totals = groups.get(key) ?? new Totals();
  groups.set(key, totals);
  totals.add(invoice);
}

/** Adds the own invoice number of an invoice, if other invoices have it. All of them have the same key. */
function addRepeatedNumber(numbers: Map<string, RepeatedNumber>, invoice: ReviewedInvoice): void {
  const { supplierId, providerInvoice, sameNumberIds } = invoice;
  const [oldestId] = sameNumberIds;
  if (oldestId === undefined) return;
  numbers.set(`${supplierId} ${oldestId}`, {
    supplier_id: supplierId,
    provider_invoice_number: providerInvoice.number ?? '',
    invoice_ids: sameNumberIds,
  });
}

function printTotals(output: Output, heading: Text, rows: Iterable<readonly [name: string, totals: Totals]>): void {
  const { invoices, system, declared, difference, payable } = opsTexts.titles;
  const header = [heading, invoices, system, declared, difference, payable].map(translate);
  const cells = Array.from(rows, ([name, totals]) => [name, ...totals.toCells()]);
  output.table(header, cells);
  output.line('');
}

function printRepeatedNumbers(output: Output, numbers: readonly RepeatedNumber[]): void {
  const { supplier, ownNumber, invoices } = opsTexts.titles;
  const cells = numbers.map((number) => {
    return [number.supplier_id, number.provider_invoice_number, number.invoice_ids.join(', ')];
  });
  output.table([supplier, ownNumber, invoices].map(translate), cells);
  output.line('');
}
