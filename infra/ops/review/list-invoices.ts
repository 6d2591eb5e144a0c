import { Option } from '@commander-js/extra-typings';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { type Decimal, decimal } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, formatCount, matching, readInstants, readRange, runCommand, zoneOption } from '../command.ts';
import { outOption } from '../out-file.ts';
import { INVOICE_LIST, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from './write-sheet.ts';

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
        for await (const page of readReviewedInvoices(ports, filter, terminal)) {
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
      const states = total.states().map(([code, sums]) => [`${code} ${INVOICE_STATES[code].name}`, sums] as const);
      for (const [heading, rows] of Object.entries({ state: states, supplier: [...suppliers] })) {
        output.table(
          [heading, ...NUMBERS],
          rows.map(([name, sums]) => [name, ...sums.toCells()]),
        );
        output.line('');
      }
      output.line(total.describe());
      const supplierDocuments = [...suppliers].map(([id, sums]) => {
        return { supplier_id: id, ...sums.toWaitingDocument(), states: sums.toStatesDocument() };
      });
      const documents = { states: total.toStatesDocument(), suppliers: supplierDocuments };
      output.document({ tenant, month, zone, ...documents, totals: total.toWaitingDocument() });
    }),
  );

const SUMS = ['count', 'declared_count', 'system_amount', 'declared_amount', 'difference'] as const;

/** The exact sums of some invoices, and the invoices that wait for review. */
class Sums {
  readonly #sums = Object.fromEntries(SUMS.map((name) => [name, decimal(0)])) as Record<(typeof SUMS)[number], Decimal>;
  #waiting = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  #waitingSince: string | null = null;

  add({ systemAmount, declaration, difference, state, declaredAt, sortDate }: ReviewedInvoice): void {
    const amounts = { system_amount: systemAmount, declared_amount: declaration?.amount, difference };
    const added = { count: 1, declared_count: declaration ? 1 : 0, ...amounts };
    for (const name of SUMS) this.#sums[name] = this.#sums[name].plus(added[name] ?? 0);
    if (state !== 'REV' && state !== 'ENV') return;
    this.#waiting += 1;
    // An invoice without a declaration waits since its date.
    const since = declaredAt ?? sortDate;
    if (this.#waitingSince === null || since < this.#waitingSince) this.#waitingSince = since;
  }

  isEmpty(): boolean {
    return this.#sums.count.eq(0);
  }

  describe(): string {
    const [count, declared, system, ...others] = SUMS.map((name) => this.#sums[name].toFixed());
    const invoices = `${formatCount(Number(count), 'invoice')} (${declared} declared)`;
    return `${invoices}: system ${system}, declared ${others[0]}, difference ${others[1]}`;
  }

  toDocument() {
    return Object.fromEntries(SUMS.map((name) => [name, this.#sums[name].toNumber()]));
  }

  toWaitingDocument() {
    const waiting = { count: this.#waiting, oldest_since: this.#waitingSince, oldest_days: this.#findOldestDays() };
    return { ...this.toDocument(), waiting };
  }

  toCells(): string[] {
    const { declared_count: _, ...shown } = this.#sums;
    const sums = Object.values(shown).map((sum) => sum.toFixed());
    return [...sums, `${this.#waiting}`, `${this.#findOldestDays() ?? '-'}`];
  }

  /** Returns the whole days of the longest wait; 0 for a future time, which an invoice date can be. */
  #findOldestDays(): number | null {
    if (this.#waitingSince === null) return null;
    return Math.max(0, Math.floor((systemClock.now().getTime() - Date.parse(this.#waitingSince)) / DAY_MS));
  }
}

/** The sums of some invoices, and those of each of their states. */
class StateSums extends Sums {
  readonly #byState = new Map(STATE_CODES.map((code) => [code, new Sums()]));

  override add(invoice: ReviewedInvoice): void {
    super.add(invoice);
    this.#byState.get(invoice.state)?.add(invoice);
  }

  states() {
    return [...this.#byState].filter(([, sums]) => !sums.isEmpty());
  }

  toStatesDocument(): object[] {
    return this.states().map(([code, sums]) => {
      return { state_code: code, state_name: INVOICE_STATES[code].name, ...sums.toWaitingDocument() };
    });
  }
}
