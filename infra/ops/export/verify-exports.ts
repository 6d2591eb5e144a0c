import { formatDay } from '../../../lib/domain/date-range.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { EXIT, type Session } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { isDeclaration } from './declaration-list.ts';
import { type ExportCursor, OVERLAP_MS, type ReadBetween } from './export-cursor.ts';

/** Prints the last days on which exported and stored declarations differ. Throws an OperatorError without a cursor. */
export async function verifyExports(session: Session, cursor: ExportCursor | null | undefined, days: number) {
  const { ports, output } = session;
  if (!cursor) throw new OperatorError(translate(opsTexts.verifyNeedsCursor));
  const counts = await countDays(ports.histories.readBetween, cursor, days);
  const differing = counts.filter(({ exported, stored }) => exported !== stored);
  const sentences = [translate(opsTexts.verifiedDays(counts.length, differing.length))];
  if (differing.length > 0) {
    const { day, exported, stored } = opsTexts.titles;
    const rows = differing.map((count) => [count.day, String(count.exported), String(count.stored)]);
    output.table([day, exported, stored].map(translate), rows);
    sentences.push(translate(opsTexts.differingDays));
  }
  output.line(sentences.join(' '));
  output.document({ tenant: cursor.tenant, days: counts, differing: differing.length });
  return differing.length > 0 ? EXIT.rejected : EXIT.done;
}

/** Counts the declarations of the last days. Omits the last hour before the cursor, which the next export rereads. */
export async function countDays(readBetween: ReadBetween, cursor: ExportCursor, days: number) {
  const endMs = Date.parse(cursor.time) - OVERLAP_MS;
  const firstDayMs = Date.parse(formatDay(endMs - (days - 1) * DAY_MS));
  const startMs = Math.max(Date.parse(cursor.since), firstDayMs);
  const storedByDay = await countStored(readBetween, cursor.tenant, startMs, endMs);
  const counts: { day: string; exported: number; stored: number }[] = [];
  for (let dayMs = Date.parse(formatDay(startMs)); dayMs < endMs; dayMs += DAY_MS) {
    const day = formatDay(dayMs);
    // The cursor contains the keys of the last hour, such as `2026-08-31T10:30:00.000Z#200#9001#3`.
    const omitted = cursor.keys.filter((key) => key.startsWith(day)).length;
    counts.push({ day, exported: (cursor.days[day] ?? 0) - omitted, stored: storedByDay.get(day) ?? 0 });
  }
  return counts;
}

async function countStored(readBetween: ReadBetween, tenant: string, startMs: number, endMs: number) {
  const storedByDay = new Map<string, number>();
  // The table cannot be read backwards. The first export can have begun in the last hour.
  if (endMs <= startMs) return storedByDay;
  for await (const page of readBetween(tenant, startMs, endMs)) {
    for (const { changedAt } of page.filter(isDeclaration)) {
      const day = formatDay(Date.parse(changedAt));
      storedByDay.set(day, (storedByDay.get(day) ?? 0) + 1);
    }
  }
  return storedByDay;
}
