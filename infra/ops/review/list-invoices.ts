import { Option } from '@commander-js/extra-typings';
import { INVOICE_STATES, STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { canHaveApprovedAmount } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, matching, readInstants, readRange, runCommand, zoneOption } from '../command.ts';
import { outOption } from '../output/out-file.ts';
import { INVOICE_LIST, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';
import { requireNoDecisions } from './review-sheet.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { formatDecimal, languageOption, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

export const listInvoicesCommand = defineListCommand('list-invoices', false, {
  summary: 'List the invoices of a tenant with their declarations, supplier by supplier, oldest first.',
  example: 'list-invoices demo.example --state REV --from 2026-06-01 --local',
});

export const listWithdrawnCommand = defineListCommand('list-withdrawn', true, {
  summary: 'List the withdrawn invoices of a tenant, which other lists do not contain.',
  example: 'list-withdrawn demo.example --supplier 200 --local',
});

/** Defines a command that lists either the withdrawn invoices or all others. */
function defineListCommand(name: string, withdrawn: boolean, text: { summary: string; example: string }) {
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
    .addOption(languageOption)
    .action((tenant, { supplier, state, from, to, declaredSince, zone, overwrite, ...options }) =>
      runCommand(options, async ({ ports, output }) => {
        const format = findSheetFormat(options);
        if (options.out !== undefined && !overwrite) await requireNoDecisions(options.out, format);
        const range = readRange(['--from', from], ['--to', to], zone);
        const since = declaredSince === undefined ? null : readInstants('--declared-since', declaredSince, zone);
        // Only sheets and JSON contain `same_number`.
        const hasSameNumbers = format !== null || options.json;
        const filter = {
          tenant,
          supplierIds: supplier,
          range,
          state,
          declaredSinceMs: since?.startMs,
          withdrawn,
          hasSameNumbers,
        };
        const totals = new Totals();
        async function* readPages() {
          for await (const page of readReviewedInvoices(ports, filter)) {
            for (const invoice of page) totals.add(invoice);
            yield page;
          }
        }
        const end = () => ({ totals: totals.toDocument() });
        await printList(output, readPages(), INVOICE_LIST, { tenant, format, end });
        if (!format) output.line(totals.describe());
        await output.complete();
        // A sheet contains only invoices.
        if (format) output.note(totals.describe());
      }),
    );
}

const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

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
  .option('--repeated-numbers', 'also print the own invoice numbers that several invoices of a supplier have')
  .addOption(zoneOption)
  .addOption(outOption)
  .addOption(languageOption)
  .action((tenant, { month, zone = 'Z', repeatedNumbers, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const range = readMonthRange(month, zone);
      const byState = new Totals();
      const bySupplier = new Totals();
      const numbers = new Map<string, RepeatedNumber>();
      for await (const page of readReviewedInvoices(ports, { tenant, range, hasSameNumbers: repeatedNumbers })) {
        for (const invoice of page) {
          byState.add(invoice, invoice.state);
          bySupplier.add(invoice, invoice.supplierId);
          addRepeatedNumber(numbers, invoice);
        }
      }

      const withdrawn = new Totals();
      for await (const page of readReviewedInvoices(ports, { tenant, range, withdrawn: true })) {
        for (const invoice of page) withdrawn.add(invoice);
      }

      const printTable = (heading: Text, rows: Iterable<readonly [name: string, Totals]>) => {
        const cells = Array.from(rows, ([name, totals]) => [name, ...totals.toCells()]);
        const { invoices, system, declared, difference, payable, waiting, oldest } = opsTexts.titles;
        const header = [heading, invoices, system, declared, difference, payable, waiting, oldest].map(translate);
        output.table(header, cells);
        output.line('');
      };
      const states = STATE_CODES.flatMap((code) => {
        const totals = byState.parts.get(code);
        return totals ? [{ state_code: code, state_name: INVOICE_STATES[code].name, totals }] : [];
      });
      printTable(
        opsTexts.titles.state,
        states.map(({ state_code, state_name, totals }) => [`${state_code} ${state_name}`, totals]),
      );
      printTable(opsTexts.titles.supplier, bySupplier.parts);
      if (repeatedNumbers) {
        const { supplier, ownNumber, invoices } = opsTexts.titles;
        const rows = Array.from(numbers.values(), ({ supplier_id: supplierId, ...entry }) => [
          supplierId,
          entry.provider_invoice_number,
          entry.invoice_ids.join(', '),
        ]);
        output.table([supplier, ownNumber, invoices].map(translate), rows);
        output.line('');
      }
      output.line(byState.describe());
      output.line(`${translate(opsTexts.withdrawn)}: ${withdrawn.describe()}`);
      output.document({
        tenant,
        month,
        zone,
        states: states.map(({ totals, ...state }) => ({ ...state, ...totals.toDocument() })),
        suppliers: Array.from(bySupplier.parts, ([id, totals]) => ({ supplier_id: id, ...totals.toDocument() })),
        totals: byState.toDocument(),
        withdrawn: withdrawn.toDocument(),
        repeated_numbers: repeatedNumbers && [...numbers.values()],
      });
    }),
  );

/** Returns the range of a month, such as 2026-08, in a zone. */
function readMonthRange(month: string, zone: string) {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number);
  // Day 0 of the next month is the last day of this one. `Date.UTC` counts months from 0.
  const lastDay = new Date(Date.UTC(year, monthNumber, 0)).getUTCDate();
  return readRange(['--month', `${month}-01`], ['--month', `${month}-${lastDay}`], zone);
}

/** An own invoice number that several invoices of a supplier have. */
interface RepeatedNumber {
  readonly supplier_id: string;
  readonly provider_invoice_number: string;
  readonly invoice_ids: readonly string[];
}

/** Adds the own invoice number of an invoice, if other invoices have it, under the oldest of these invoices. */
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

/** The exact totals of some invoices, of those that wait for a review, and of parts, such as suppliers or states. */
class Totals {
  readonly parts = new Map<string, Totals>();
  #count = 0;
  #declaredCount = 0;
  #systemAmount = decimal(0);
  #declaredAmount = decimal(0);
  #difference = decimal(0);
  #payableAmount = decimal(0);
  #waitingCount = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  #waitingSince: string | null = null;

  /** Adds an invoice. With a key such as `REV`, adds it also to the part `REV`. */
  add(invoice: ReviewedInvoice, partKey?: string): void {
    if (partKey !== undefined) {
      const part = this.parts.get(partKey) ?? new Totals();
      this.parts.set(partKey, part);
      part.add(invoice);
    }
    const { systemAmount, declaration, difference, state, sortDate, notice } = invoice;
    this.#count += 1;
    this.#declaredCount += declaration ? 1 : 0;
    this.#systemAmount = this.#systemAmount.plus(systemAmount);
    this.#declaredAmount = this.#declaredAmount.plus(declaration?.amount ?? 0);
    this.#difference = this.#difference.plus(difference ?? 0);
    if (canHaveApprovedAmount(state)) {
      this.#payableAmount = this.#payableAmount.plus(notice.approvedAmount ?? declaration?.amount ?? 0);
    }
    if (state !== 'REV' && state !== 'ENV') return;
    this.#waitingCount += 1;
    // An invoice without a declaration has waited since its date.
    const since = declaration?.declaredAt ?? sortDate;
    if (this.#waitingSince === null || since < this.#waitingSince) this.#waitingSince = since;
  }

  describe(): string {
    return translate(opsTexts.totals(this.#count, this.#declaredCount, this.#formatAmounts()));
  }

  toCells(): string[] {
    const amounts = Object.values(this.#formatAmounts());
    return [`${this.#count}`, ...amounts, `${this.#waitingCount}`, `${this.#computeOldestDays() ?? '-'}`];
  }

  toDocument() {
    return {
      count: this.#count,
      declared_count: this.#declaredCount,
      system_amount: this.#systemAmount.toNumber(),
      declared_amount: this.#declaredAmount.toNumber(),
      difference: this.#difference.toNumber(),
      payable_amount: this.#payableAmount.toNumber(),
      waiting: {
        count: this.#waitingCount,
        oldest_since: this.#waitingSince,
        oldest_days: this.#computeOldestDays(),
      },
    };
  }

  /** Formats the amounts, in the order of the columns. */
  #formatAmounts() {
    return {
      system: formatDecimal(this.#systemAmount),
      declared: formatDecimal(this.#declaredAmount),
      difference: formatDecimal(this.#difference),
      payable: formatDecimal(this.#payableAmount),
    };
  }

  /** Returns the whole days of the longest wait; 0 for a future time, which an invoice date can be. */
  #computeOldestDays(): number | null {
    if (this.#waitingSince === null) return null;
    return Math.max(0, Math.floor((systemClock.now().getTime() - Date.parse(this.#waitingSince)) / DAY_MS));
  }
}
