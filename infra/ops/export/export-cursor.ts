import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { buildChangeKey } from '../../../lib/tables/keys.ts';
import { isDeclaration, type RecordedDeclaration } from './declaration-list.ts';

/** The content of a cursor file: the position of an export. All times are ISO 8601 UTC with milliseconds. */
export interface ExportCursor {
  readonly tenant: string;
  /** The start of the first export, which exports no earlier declaration. */
  readonly since: string;
  /** The latest time of an exported declaration, or `since`. */
  readonly time: string;
  /** The keys of the exported declarations from one hour before `time` on. */
  readonly keys: readonly string[];
}

/**
 * An export rereads the changes of this time before its cursor. A change becomes visible later than its own time,
 * because of the duration of a call and the delay of the index, and if the clock of its writer was behind.
 */
export const OVERLAP_MS = 60 * 60_000;

/** Yields the changes of a tenant between two times (`endMs` excluded), page by page in the order of time. */
export type ReadBetween = (tenant: string, startMs: number, endMs: number) => AsyncIterable<readonly RecordedChange[]>;

/** Creates the cursor of an export that begins at a time. */
export function createCursor(tenant: string, since: string): ExportCursor {
  return { tenant, since, time: since, keys: [] };
}

/**
 * Exports the declarations after a cursor. If each export begins at the cursor of the previous one, every declaration
 * is exported exactly once, unless it becomes visible later than OVERLAP_MS after its time. `nowMs` is the start time.
 */
export function exportDeclarations(readBetween: ReadBetween, cursor: ExportCursor, nowMs: number) {
  const { tenant, since } = cursor;
  const now = new Date(nowMs).toISOString();
  const keys = new Set(cursor.keys);
  let { time } = cursor;

  async function* readDeclarations(): AsyncGenerator<RecordedDeclaration[], void> {
    const cursorMs = Date.parse(cursor.time);
    // The end is a day later, because the clock of this machine can be behind the clocks of the writers.
    const endMs = Math.max(cursorMs, nowMs) + DAY_MS;
    for await (const page of readBetween(tenant, cursorMs - OVERLAP_MS, endMs)) {
      const newDeclarations = page.filter(isDeclaration).filter(isNew);
      for (const declaration of newDeclarations) addToCursor(declaration);
      yield newDeclarations;
      deleteOldKeys();
    }
  }

  function isNew(declaration: RecordedDeclaration): boolean {
    return declaration.changedAt >= since && !keys.has(buildChangeKey(declaration));
  }

  function addToCursor(declaration: RecordedDeclaration): void {
    const { changedAt } = declaration;
    keys.add(buildChangeKey(declaration));
    // The next cursor is the latest exported time. It is never later than the clock of this machine, because a writer
    // whose clock is ahead would move it past the declarations of other writers that become visible later.
    if (changedAt > time && changedAt <= now) time = changedAt;
  }

  /** Deletes the keys of declarations that no later export rereads. A key begins with the time of its declaration. */
  function deleteOldKeys(): void {
    const overlapStart = new Date(Date.parse(time) - OVERLAP_MS).toISOString();
    for (const key of keys) {
      if (key < overlapStart) keys.delete(key);
    }
  }

  return {
    declarations: readDeclarations(),
    /** Returns the next cursor, once all declarations are read. */
    getCursor: (): ExportCursor => ({ tenant, since, time, keys: [...keys] }),
  };
}
