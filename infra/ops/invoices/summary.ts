import { type Part, summarise, type Sums } from '../../../lib/admin/review/summary.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import { INVOICE_STATES, type StateCode } from '../../../lib/domain/invoice-states.ts';
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
      const progress = host.stderr.isTTY ? showReading(host.stderr) : null;
      const range = monthIn(month, zone);
      const summary = summarise(ports, { tenant, range }, (soFar) => progress?.update(soFar));
      const { states, suppliers, all } = await summary.finally(() => progress?.stop());

      const now = systemClock.now();
      const stateRows = [...states].map(([state, part]) => [
        `${state} ${INVOICE_STATES[state].name}`,
        ...cells(part, now),
      ]);
      output.table(['state', ...NUMBERS], stateRows);
      output.line('');
      const supplierRows = [...suppliers].map(([id, supplier]) => [id, ...cells(supplier.all, now)]);
      output.table(['supplier', ...NUMBERS], supplierRows);
      output.line('');
      output.line(sumsLine(all));
      output.document({
        tenant,
        month,
        zone,
        states: statesDocument(states, now),
        suppliers: [...suppliers].map(([id, supplier]) => ({
          supplier_id: id,
          ...partDocument(supplier.all, now),
          states: statesDocument(supplier.states, now),
        })),
        totals: partDocument(all, now),
      });
      return EXIT.done;
    }),
  );

/** The instants of a month (yyyy-mm) in a zone. */
function monthIn(month: string, zone: string): DateRange {
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  const first = instantsOf(`${month}-01`, zone);
  const last = instantsOf(`${month}-${lastDay.getUTCDate()}`, zone);
  if (!first || !last) throw new Error(`${month} is not a month.`);
  return { startMs: first.startMs, endMs: last.endMs };
}

function cells({ invoices, systemAmount, declaredAmount, difference, waiting, waitingSince }: Part, now: Date) {
  const amounts = [systemAmount, declaredAmount, difference].map((amount) => amount.toFixed());
  return [`${invoices}`, ...amounts, `${waiting}`, `${daysSince(waitingSince, now) ?? '-'}`];
}

function statesDocument(states: ReadonlyMap<StateCode, Part>, now: Date): object[] {
  return [...states].map(([state, part]) => ({
    state_code: state,
    state_name: INVOICE_STATES[state].name,
    ...partDocument(part, now),
  }));
}

function partDocument(part: Part, now: Date): object {
  const { waiting, waitingSince } = part;
  const oldest = { oldest_since: waitingSince, oldest_days: daysSince(waitingSince, now) };
  return { ...sumsDocument(part), waiting: { count: waiting, ...oldest } };
}

/** How many whole days ago it was, at least 0: an invoice may have a date to come. */
function daysSince(time: string | null, now: Date): number | null {
  return time === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / DAY_MS));
}

/** What some invoices come to, as a line for people. */
export function sumsLine({ invoices, declared, systemAmount, declaredAmount, difference }: Sums): string {
  const amounts = `declared ${declaredAmount.toFixed()}, difference ${difference.toFixed()}`;
  return `${counted(invoices, 'invoice')} (${declared} declared): system ${systemAmount.toFixed()}, ${amounts}`;
}

/** The same for scripts; `difference` is of those that are declared. */
export function sumsDocument({ invoices, declared, systemAmount, declaredAmount, difference }: Sums) {
  return {
    count: invoices,
    declared_count: declared,
    system_amount: systemAmount.toNumber(),
    declared_amount: declaredAmount.toNumber(),
    difference: difference.toNumber(),
  };
}
