import { formatDay } from '../../../lib/domain/date-range.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { buildChangeKey } from '../../../lib/tables/keys.ts';
import { isDeclaration, type RecordedDeclaration } from './declaration-list.ts';

/** The content of a cursor file: the position of an export. All times are ISO 8601 UTC with milliseconds. */
export interface ExportCursor {
  readonly tenant: string;
  /** The start of the first export. No declaration before it is exported. */
  readonly since: string;
  readonly time: string;
  /** The number of exported declarations of each day, by days such as `2026-08-31`. */
  readonly days: Readonly<Record<string, number>>;
  /** The keys of the exported declarations from one hour before `time` on. */
  readonly keys: readonly string[];
}

/**
 * An export reads the changes of this time before its cursor again. A change becomes visible later than its own time: by
 * the duration of a call, by the delay of the index, and if the clock of its writer was behind.
 */
const OVERLAP_MS = 60 * 60_000;

/** Creates the cursor of an export that begins at a time. */
export function createCursor(tenant: string, since: string): ExportCursor {
  return { tenant, since, time: since, days: {}, keys: [] };
}

/** Yields the changes of a tenant between two times (`endMs` excluded), page by page in the order of time. */
type ReadBetween = (tenant: string, startMs: number, endMs: number) => AsyncIterable<readonly RecordedChange[]>;

/**
 * Exports the declarations after a cursor. If each export begins at the cursor of the previous one, every
 * declaration is exported exactly once, unless it becomes visible later than OVERLAP_MS after its time. `nowMs` is the
 * clock of this machine at the start of the export.
 */
export function exportDeclarations(readBetween: ReadBetween, cursor: ExportCursor, nowMs: number) {
  const { tenant, since } = cursor;
  const now = new Date(nowMs).toISOString();
  const keys = new Set(cursor.keys);
  const days = { ...cursor.days };
  let { time } = cursor;

  function add(declaration: RecordedDeclaration): void {
    const { changedAt } = declaration;
    keys.add(buildChangeKey(declaration));
    const day = formatDay(Date.parse(changedAt));
    days[day] = (days[day] ?? 0) + 1;
    // The next cursor is the latest exported time, but not later than the clock of this machine: with the clock alone, a
    // clock that is ahead would lose declarations, and with the latest time alone, the clock of a writer that is ahead.
    if (changedAt > time && changedAt <= now) time = changedAt;
  }

  async function* readDeclarations(): AsyncGenerator<RecordedDeclaration[], void> {
    const cursorMs = Date.parse(cursor.time);
    // The end is a day later, because the clock of this machine can be behind the clocks of the writers.
    const changes = readBetween(tenant, cursorMs - OVERLAP_MS, Math.max(cursorMs, nowMs) + DAY_MS);
    for await (const page of changes) {
      const isNew = (declaration: RecordedDeclaration) =>
        declaration.changedAt >= since && !keys.has(buildChangeKey(declaration));
      const declarations = page.filter(isDeclaration).filter(isNew);
      declarations.forEach(add);
      yield declarations;
      // The next export does not read the changes before this time again.
      const overlapStart = new Date(Date.parse(time) - OVERLAP_MS).toISOString();
      for (const key of keys) if (key < overlapStart) keys.delete(key);
    }
  }

  return {
    declarations: readDeclarations(),
    /** Returns the next cursor, once all declarations are read. */
    getCursor: (): ExportCursor => ({ tenant, since, time, days, keys: [...keys] }),
  };
}

/** The numbers of declarations of a day. They are equal unless a declaration was not exported, or was erased. */
interface DayCount {
  readonly day: string;
  readonly exported: number;
  readonly stored: number;
}

/**
 * Counts the declarations of the last days before a cursor that were exported, and those that are stored. Leaves out the
 * last hour, which the next export reads again.
 */
export async function countDays(readBetween: ReadBetween, cursor: ExportCursor, days: number): Promise<DayCount[]> {
  const endMs = Date.parse(cursor.time) - OVERLAP_MS;
  const startMs = Math.max(Date.parse(cursor.since), Date.parse(formatDay(endMs - (days - 1) * DAY_MS)));
  const stored = new Map<string, number>();
  for await (const page of endMs > startMs ? readBetween(cursor.tenant, startMs, endMs) : []) {
    for (const { changedAt } of page.filter(isDeclaration)) {
      const day = formatDay(Date.parse(changedAt));
      stored.set(day, (stored.get(day) ?? 0) + 1);
    }
  }
  const counts: DayCount[] = [];
  for (let dayMs = Date.parse(formatDay(startMs)); dayMs < endMs; dayMs += DAY_MS) {
    const day = formatDay(dayMs);
    // The cursor contains the keys of the last hour.
    const later = cursor.keys.filter((key) => key.startsWith(day)).length;
    counts.push({ day, exported: (cursor.days[day] ?? 0) - later, stored: stored.get(day) ?? 0 });
  }
  return counts;
}
