import { OperatorError } from '../operator-error.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { LogEntry, LoggedDeclaration } from '../../../lib/storage/invoices/declaration-log.ts';

/** The position of an export in the log of a tenant: the number of the latest exported entry of each shard. */
export type ExportCursor = readonly number[];

const CURSOR = /^1:(?<tenant>[^:]+):(?<numbers>\d{1,15}(?:\.\d{1,15})*)$/;

/** Formats a cursor as one word. */
export function formatCursor(tenant: string, cursor: ExportCursor): string {
  return `1:${tenant}:${cursor.join('.')}`;
}

/** True if a text has the form of a cursor; a date does not have it. */
export const isCursor = (text: string) => /^\d+:[^:]*:/.test(text);

/** Parses a cursor; throws an OperatorError if it is invalid, or the cursor of another tenant. */
export function parseCursor(text: string, tenant: string): ExportCursor {
  const { tenant: owner, numbers } = CURSOR.exec(text.trim())?.groups ?? {};
  if (!owner || !numbers) throw new OperatorError('The cursor is invalid: export-declarations did not print it.');
  if (owner !== tenant) throw new OperatorError(`The cursor is of ${owner}, not of ${tenant}.`);
  return numbers.split('.').map(Number);
}

const OF_OTHER_DATA = 'The cursor belongs to other data: it is ahead of the declarations of this service.';

/**
 * Exports the declarations of a tenant after a cursor (empty: all). Over any number of exports, each from the cursor of
 * the one before, every declaration is exported exactly once. Throws an OperatorError for a cursor of other data.
 */
export function exportDeclarations(
  { declarationLog: log }: Pick<AdminPorts, 'declarationLog'>,
  tenant: string,
  after: ExportCursor,
) {
  if (after.length > log.shards) throw new OperatorError(OF_OTHER_DATA);
  // The entries of a shard up to `number` are exported; `next` contains the entries after it that were read.
  const shards = Array.from({ length: log.shards }, (_, index) => {
    return { index, number: after[index] ?? 0, latest: 0, next: [] as readonly LogEntry[] };
  });
  type Shard = (typeof shards)[number];

  /** Reads the next entry of a shard, which must exist. */
  async function readNext(shard: Shard): Promise<LogEntry> {
    if (shard.next.length === 0) shard.next = await log.after(tenant, shard.index, shard.number);
    const [entry] = shard.next;
    if (!entry) throw new Error(`The log has no entry after ${shard.number}.`);
    return entry;
  }

  /** Yields the entries of a shard up to a number, each after the entries of other shards that its declarations follow. */
  async function* readUpTo(shard: Shard, number: number): AsyncGenerator<readonly LoggedDeclaration[], void> {
    while (shard.number < number) {
      const { declarations } = await readNext(shard);
      for (const { follows } of declarations) {
        const other = follows && shards[follows.shard];
        if (other && other !== shard) yield* readUpTo(other, follows.number);
      }
      shard.next = shard.next.slice(1);
      shard.number += 1;
      yield declarations;
    }
  }

  async function* readAll(): AsyncGenerator<readonly LoggedDeclaration[], void> {
    await Promise.all(
      shards.map(async (shard) => {
        shard.latest = await log.latest(tenant, shard.index);
        if (shard.latest < shard.number) throw new OperatorError(OF_OTHER_DATA);
      }),
    );
    for (;;) {
      const behind = shards.filter(({ number, latest }) => number < latest);
      const next = await Promise.all(behind.map(async (shard) => ({ shard, time: getTime(await readNext(shard)) })));
      const [first] = next.toSorted((a, b) => a.time.localeCompare(b.time));
      if (!first) return;
      yield* readUpTo(first.shard, first.shard.number + 1);
    }
  }

  return {
    /**
     * The declarations that were committed after the cursor and before the export began, transaction by transaction:
     * roughly in the order of their times, those of an invoice strictly in the order of its revisions. Later ones can be
     * among them.
     */
    declarations: readAll(),
    /** Returns the cursor after the declarations that were read. */
    cursor: (): ExportCursor => shards.map(({ number }) => number),
  };
}

const getTime = ({ declarations }: LogEntry) => declarations[0]?.revision.declaredAt ?? '';
