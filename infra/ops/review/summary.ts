import type { DateRange } from '../../../lib/domain/date-range.ts';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal, differenceOf } from '../../../lib/domain/money.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, matching, runCommand } from '../command.ts';
import { formatCount } from '../format-count.ts';
import { readRange, zoneOption } from '../date-options.ts';
import { outOption } from '../out-file.ts';
import { type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';

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
      const total = new StateSums();
      const suppliers = new Map<string, StateSums>();
      for await (const page of readReviewedInvoices(ports, { tenant, range: readMonth(month, zone) }, host.stderr)) {
        for (const invoice of page) {
          const ofSupplier = suppliers.get(invoice.supplierId) ?? new StateSums();
          suppliers.set(invoice.supplierId, ofSupplier);
          for (const sums of [total, ofSupplier]) sums.add(invoice);
        }
      }

      const now = systemClock.now();
      const stateRows = total
        .states()
        .map(([state, sums]) => [`${state} ${INVOICE_STATES[state].name}`, sums] as const);
      for (const [name, rows] of Object.entries({ state: stateRows, supplier: [...suppliers] })) {
        output.table(
          [name, ...NUMBERS],
          rows.map(([first, sums]) => [first, ...toCells(sums, now)]),
        );
        output.line('');
      }
      output.line(describeSums(total));
      output.document({
        tenant,
        month,
        zone,
        states: statesDocument(total, now),
        suppliers: [...suppliers].map(([id, sums]) => ({
          supplier_id: id,
          ...waitingDocument(sums, now),
          states: statesDocument(sums, now),
        })),
        totals: waitingDocument(total, now),
      });
    }),
  );

/** Returns the range of a month (yyyy-mm) in a zone. */
function readMonth(month: string, zone: string): DateRange {
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  return readRange({ from: `${month}-01`, to: `${month}-${lastDay.getUTCDate()}`, zone });
}

/** The exact sums of some invoices, and the invoices that wait for review. */
export class Sums {
  invoices = 0;
  declared = 0;
  systemAmount = decimal(0);
  declaredAmount = decimal(0);
  /** The sum of declared minus system amount, of the declared invoices. */
  difference = decimal(0);
  /** The number of invoices that wait for review. */
  waiting = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  waitingSince: string | null = null;

  add({ systemAmount, declaration, state, declaredAt, sortDate }: ReviewedInvoice): void {
    this.invoices += 1;
    this.systemAmount = this.systemAmount.plus(systemAmount);
    if (declaration) {
      this.declared += 1;
      this.declaredAmount = this.declaredAmount.plus(declaration.amount);
      this.difference = this.difference.plus(differenceOf(declaration.amount, systemAmount));
    }
    if (state !== 'REV' && state !== 'ENV') return;
    this.waiting += 1;
    // An invoice without a declaration waits since its date.
    const since = declaredAt ?? sortDate;
    if (this.waitingSince === null || since < this.waitingSince) this.waitingSince = since;
  }
}

class StateSums extends Sums {
  readonly #byState = new Map(STATE_CODES.map((state) => [state, new Sums()]));

  override add(invoice: ReviewedInvoice): void {
    super.add(invoice);
    this.#byState.get(invoice.state)?.add(invoice);
  }

  /** Returns the sums of each state that an invoice has. */
  states() {
    return [...this.#byState].filter(([, { invoices }]) => invoices > 0);
  }
}

function toCells(sums: Sums, now: Date): string[] {
  const amounts = [sums.systemAmount, sums.declaredAmount, sums.difference].map((amount) => amount.toFixed());
  return [`${sums.invoices}`, ...amounts, `${sums.waiting}`, `${daysSince(sums.waitingSince, now) ?? '-'}`];
}

function statesDocument(sums: StateSums, now: Date): object[] {
  return sums.states().map(([state, ofState]) => ({
    state_code: state,
    state_name: INVOICE_STATES[state].name,
    ...waitingDocument(ofState, now),
  }));
}

function waitingDocument(sums: Sums, now: Date): object {
  const { waiting: count, waitingSince } = sums;
  return {
    ...sumsDocument(sums),
    waiting: { count, oldest_since: waitingSince, oldest_days: daysSince(waitingSince, now) },
  };
}

/** Returns how many whole days ago a time was; 0 for a future time, which an invoice date can be. */
function daysSince(time: string | null, now: Date): number | null {
  return time === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / DAY_MS));
}

export function describeSums({ invoices, declared, systemAmount, declaredAmount, difference }: Sums): string {
  const amounts = `declared ${declaredAmount.toFixed()}, difference ${difference.toFixed()}`;
  return `${formatCount(invoices, 'invoice')} (${declared} declared): system ${systemAmount.toFixed()}, ${amounts}`;
}

export function sumsDocument({ invoices, declared, systemAmount, declaredAmount, difference }: Sums) {
  return {
    count: invoices,
    declared_count: declared,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount.toNumber(),
    difference: difference.toNumber(),
  };
}
