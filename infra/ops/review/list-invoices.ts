import { Option } from '@commander-js/extra-typings';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal, differenceOf } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, matching, readInstants, readRange, runCommand, zoneOption } from '../command.ts';
import { formatCount } from '../format-count.ts';
import { outOption } from '../out-file.ts';
import { INVOICE_LIST, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
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
  .action((tenant, { supplier, state, from, to, declaredSince, zone, ...options }) =>
    runCommand(options, async ({ ports, output, host }) => {
      const format = findSheetFormat(options);
      const range = readRange(['--from', from], ['--to', to], zone);
      const since = declaredSince === undefined ? null : readInstants('--declared-since', declaredSince, zone);
      const filter = { tenant, supplierIds: supplier, range, state, declaredSinceMs: since?.startMs };
      // On one terminal, the progress bar would be between the rows.
      const terminal = options.out === undefined && host.stdout.isTTY ? null : host.stderr;
      const sums = new Sums();
      async function* readPages() {
        for await (const page of rebatchPages(readReviewedInvoices(ports, filter, terminal), PAGE_INVOICES)) {
          for (const invoice of page) sums.add(invoice);
          yield page;
        }
      }
      const end = () => ({ totals: sums.toDocument() });
      await printList(output, readPages(), INVOICE_LIST, { tenant, format, end });
      if (!format) output.line(sums.describe());
      await output.complete();
      if (format) output.note(sums.describe());
    }),
  );

const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;
const NUMBERS = ['invoices', 'system', 'declared', 'difference', 'waiting', 'oldest, days'];

/** `summary`: prints the totals of a month by state and by supplier, and the invoices that wait for review. */
export const summaryCommand = defineCommand('summary', {
  summary: 'Print the totals of a month by state and by supplier, and the longest wait for review.',
  example: 'summary demo.example --month 2026-08 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .requiredOption(
    '--month <month>',
    'month of the invoices, such as 2026-08',
    matching(MONTH, 'a month, such as 2026-08'),
  )
  .addOption(zoneOption)
  .addOption(outOption)
  .action((tenant, { month, zone = 'Z', ...options }) =>
    runCommand(options, async ({ ports, output, host }) => {
      const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
      const range = readRange(['--month', `${month}-01`], ['--month', `${month}-${lastDay}`], zone);
      const total = new StateSums();
      const suppliers = new Map<string, StateSums>();
      for await (const page of readReviewedInvoices(ports, { tenant, range }, host.stderr)) {
        for (const invoice of page) {
          const ofSupplier = suppliers.get(invoice.supplierId) ?? new StateSums();
          suppliers.set(invoice.supplierId, ofSupplier);
          for (const sums of [total, ofSupplier]) sums.add(invoice);
        }
      }

      const states = total.states().map(({ code, name, sums }) => [`${code} ${name}`, sums] as const);
      for (const [heading, rows] of Object.entries({ state: states, supplier: [...suppliers] })) {
        output.table(
          [heading, ...NUMBERS],
          rows.map(([name, sums]) => [name, ...sums.toCells()]),
        );
        output.line('');
      }
      output.line(total.describe());
      output.document({
        tenant,
        month,
        zone,
        states: total.toStatesDocument(),
        suppliers: [...suppliers].map(([id, sums]) => ({
          supplier_id: id,
          ...sums.toWaitingDocument(),
          states: sums.toStatesDocument(),
        })),
        totals: total.toWaitingDocument(),
      });
    }),
  );

/** The exact sums of some invoices, and the invoices that wait for review. */
class Sums {
  invoices = 0;
  #declared = 0;
  #systemAmount = decimal(0);
  #declaredAmount = decimal(0);
  /** The sum of declared minus system amount, of the declared invoices. */
  #difference = decimal(0);
  /** The number of invoices that wait for review. */
  #waiting = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  #waitingSince: string | null = null;

  add({ systemAmount, declaration, state, declaredAt, sortDate }: ReviewedInvoice): void {
    this.invoices += 1;
    this.#systemAmount = this.#systemAmount.plus(systemAmount);
    if (declaration) {
      this.#declared += 1;
      this.#declaredAmount = this.#declaredAmount.plus(declaration.amount);
      this.#difference = this.#difference.plus(differenceOf(declaration.amount, systemAmount));
    }
    if (state !== 'REV' && state !== 'ENV') return;
    this.#waiting += 1;
    // An invoice without a declaration waits since its date.
    const since = declaredAt ?? sortDate;
    if (this.#waitingSince === null || since < this.#waitingSince) this.#waitingSince = since;
  }

  describe(): string {
    const amounts = `declared ${this.#declaredAmount.toFixed()}, difference ${this.#difference.toFixed()}`;
    const count = `${formatCount(this.invoices, 'invoice')} (${this.#declared} declared)`;
    return `${count}: system ${this.#systemAmount.toFixed()}, ${amounts}`;
  }

  toDocument(): object {
    return {
      count: this.invoices,
      declared_count: this.#declared,
      system_amount: this.#systemAmount.toNumber(),
      declared_amount: this.#declaredAmount.toNumber(),
      difference: this.#difference.toNumber(),
    };
  }

  toWaitingDocument(): object {
    const waiting = { count: this.#waiting, oldest_since: this.#waitingSince, oldest_days: this.#findOldestDays() };
    return { ...this.toDocument(), waiting };
  }

  toCells(): string[] {
    const amounts = [this.#systemAmount, this.#declaredAmount, this.#difference].map((amount) => amount.toFixed());
    return [`${this.invoices}`, ...amounts, `${this.#waiting}`, `${this.#findOldestDays() ?? '-'}`];
  }

  /** Returns the whole days of the longest wait; 0 for a future time, which an invoice date can be. */
  #findOldestDays(): number | null {
    if (this.#waitingSince === null) return null;
    return Math.max(0, Math.floor((systemClock.now().getTime() - Date.parse(this.#waitingSince)) / DAY_MS));
  }
}

class StateSums extends Sums {
  readonly #byState = new Map(STATE_CODES.map((state) => [state, new Sums()]));

  override add(invoice: ReviewedInvoice): void {
    super.add(invoice);
    this.#byState.get(invoice.state)?.add(invoice);
  }

  /** Returns the sums of each state that an invoice has, with the code and the name of the state. */
  states() {
    const states = [...this.#byState].filter(([, { invoices }]) => invoices > 0);
    return states.map(([code, sums]) => ({ code, name: INVOICE_STATES[code].name, sums }));
  }

  toStatesDocument(): object[] {
    return this.states().map(({ code, name, sums }) => {
      return { state_code: code, state_name: name, ...sums.toWaitingDocument() };
    });
  }
}
