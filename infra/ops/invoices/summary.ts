import { type StateSums, summarise, type Sums } from './sums.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import { INVOICE_STATES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { instantsOf } from '../../../lib/domain/zone.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, matching, runCommand } from '../command.ts';
import { counted } from '../counted.ts';
import { zoneOption } from '../date-options.ts';
import { outOption } from '../out-file.ts';
import { showReading } from './progress.ts';

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
      const progress = showReading(host.stderr);
      const summary = summarise(ports, { tenant, range: monthIn(month, zone) }, progress.update);
      const { total, suppliers } = await summary.finally(progress.stop);

      const now = systemClock.now();
      const stateRows = presentStates(total).map(
        ([state, sums]) => [`${state} ${INVOICE_STATES[state].name}`, sums] as const,
      );
      const supplierRows = [...suppliers].map(([id, { all }]) => [id, all] as const);
      for (const [name, rows] of [
        ['state', stateRows],
        ['supplier', supplierRows],
      ] as const) {
        output.table(
          [name, ...NUMBERS],
          rows.map(([first, sums]) => [first, ...toCells(sums, now)]),
        );
        output.line('');
      }
      output.line(describeSums(total.all));
      output.document({
        tenant,
        month,
        zone,
        states: statesDocument(total, now),
        suppliers: [...suppliers].map(([id, sums]) => ({
          supplier_id: id,
          ...waitingDocument(sums.all, now),
          states: statesDocument(sums, now),
        })),
        totals: waitingDocument(total.all, now),
      });
      return EXIT.done;
    }),
  );

/** Returns the range of a month (yyyy-mm) in a zone. */
function monthIn(month: string, zone: string): DateRange {
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  const first = instantsOf(`${month}-01`, zone);
  const last = instantsOf(`${month}-${lastDay.getUTCDate()}`, zone);
  if (!first || !last) throw new Error(`${month} is not a month.`);
  return { startMs: first.startMs, endMs: last.endMs };
}

function toCells({ invoices, systemAmount, declaredAmount, difference, waiting, waitingSince }: Sums, now: Date) {
  const amounts = [systemAmount, declaredAmount, difference].map((amount) => amount.toFixed());
  return [`${invoices}`, ...amounts, `${waiting}`, `${daysSince(waitingSince, now) ?? '-'}`];
}

function presentStates({ states }: StateSums) {
  return [...states].filter(([, { invoices }]) => invoices > 0);
}

function statesDocument(sums: StateSums, now: Date): object[] {
  return presentStates(sums).map(([state, ofState]) => ({
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

/** Describes sums in one line. */
export function describeSums({ invoices, declared, systemAmount, declaredAmount, difference }: Sums): string {
  const amounts = `declared ${declaredAmount.toFixed()}, difference ${difference.toFixed()}`;
  return `${counted(invoices, 'invoice')} (${declared} declared): system ${systemAmount.toFixed()}, ${amounts}`;
}

/** Converts sums to JSON. */
export function sumsDocument({ invoices, declared, systemAmount, declaredAmount, difference }: Sums) {
  return {
    count: invoices,
    declared_count: declared,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount.toNumber(),
    difference: difference.toNumber(),
  };
}
