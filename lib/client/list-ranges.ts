import { REQUEST_LIMITS } from './portal-data.generated.ts';

export const DAY_MS = 86_400_000;

/** Yields the longest ranges that the list accepts, newest first, from tomorrow back to the day (UTC) of an instant. */
export function* listRanges(firstMs: number): Generator<{ startdate: string; enddate: string }, void> {
  const firstDay = formatDay(firstMs);
  // The date of an invoice can be tomorrow in UTC.
  let endMs = Date.now() + DAY_MS;
  for (;;) {
    // A range contains all days from its start to its end.
    const startMs = endMs - (REQUEST_LIMITS.rangeDays - 1) * DAY_MS;
    const startdate = formatDay(Math.max(startMs, firstMs));
    yield { startdate, enddate: formatDay(endMs) };
    if (startdate <= firstDay) return;
    endMs = startMs - DAY_MS;
  }
}

function formatDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, '2026-08-31'.length);
}
