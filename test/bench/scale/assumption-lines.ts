import {
  BATCH,
  BUSIEST_SECOND,
  durationMs,
  lists,
  month,
  monthEnd,
  requestsOfSupplier,
  userLimits,
} from './assumptions.ts';

/** What the simulation assumes, as a list. */
export function assumptionLines(): string[] {
  const asked = Object.entries(requestsOfSupplier()).map(([kind, count]) => `${count.toFixed(1)} ${kind}`);
  const durations = Object.entries(durationMs).map(([kind, ms]) => `${kind} ${ms}`);
  return [
    `- In ${monthEnd.hours} hours: ${(monthEnd.shareOfMonth * 100).toFixed(0)} % of a month of ${month.invoices} invoices.`,
    `- Every page of ${lists.rows} of the month's list, ${lists.times} times; batches of up to ${BATCH}.`,
    `- So each supplier asks for: ${asked.join(', ')}. The busiest second has ${BUSIEST_SECOND} times the average.`,
    `- The hottest supplier: ${userLimits.reads} lists and ${userLimits.writes} batches of ${BATCH} a minute.`,
    `- A request takes, in ms: ${durations.join(', ')}.`,
  ];
}
