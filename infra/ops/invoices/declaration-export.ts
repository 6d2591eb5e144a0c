import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { DeclarationLog, LogEntry, LoggedDeclaration } from '../../../lib/storage/invoices/declaration-log.ts';
import { OperatorError } from '../operator-error.ts';

/** The position of an export in the log of a tenant: the number of the latest entry of each shard. */
export interface ExportCursor {
  readonly tenant: string;
  readonly numbers: readonly number[];
}

const CURSOR = /^1:(?<tenant>[^:]+):(?<numbers>\d{1,15}(?:\.\d{1,15})*)$/;

/** Formats a cursor as one word. */
export function cursorText({ tenant, numbers }: ExportCursor): string {
  return `1:${tenant}:${numbers.join('.')}`;
}

/** True if a text has the form of a cursor; a date does not have it. */
export const isCursor = (text: string) => /^\d+:[^:]*:/.test(text);

/** Parses a cursor; throws an OperatorError if it is invalid, or the cursor of another tenant. */
export function readCursor(text: string, tenant: string): ExportCursor {
  const { tenant: owner, numbers } = CURSOR.exec(text.trim())?.groups ?? {};
  if (!owner || !numbers) throw new OperatorError('The cursor is invalid: export-declarations did not print it.');
  if (owner !== tenant) throw new OperatorError(`The cursor is of ${owner}, not of ${tenant}.`);
  return { tenant, numbers: numbers.split('.').map(Number) };
}

const OF_OTHER_DATA = 'The cursor belongs to other data: it is ahead of the declarations of this service.';

/** The declarations of an export, and its cursor. */
export interface DeclarationExport {
  /**
   * The declarations that were committed after the cursor and before the export began, transaction by transaction:
   * roughly in the order of their times, those of an invoice strictly in the order of its revisions. Later ones can be
   * among them.
   */
  readonly declarations: AsyncIterable<readonly LoggedDeclaration[]>;
  /** Returns the cursor after the declarations that were read. */
  readonly cursor: () => ExportCursor;
}

/**
 * Exports the declarations of a tenant after a cursor (null: all). Over any number of exports, each from the cursor of
 * the one before, every declaration is exported exactly once. Throws an OperatorError for a cursor of other data.
 */
export function exportDeclarations(
  { declarationLog: log }: Pick<AdminPorts, 'declarationLog'>,
  tenant: string,
  after: ExportCursor | null,
): DeclarationExport {
  if (after && after.numbers.length > log.shards) throw new OperatorError(OF_OTHER_DATA);
  const shards = Array.from({ length: log.shards }, (_, shard) => new ShardReader(log, tenant, shard, after));
  return {
    declarations: mergeShards(shards),
    cursor: () => ({ tenant, numbers: shards.map(({ number }) => number) }),
  };
}

async function* mergeShards(shards: readonly ShardReader[]): AsyncGenerator<readonly LoggedDeclaration[], void> {
  await Promise.all(shards.map((shard) => shard.begin()));
  for (;;) {
    const behind = shards.filter((shard) => shard.isBehind());
    const next = await Promise.all(behind.map(async (shard) => ({ shard, entry: await shard.readNext() })));
    const [first] = next.toSorted((a, b) => getTime(a.entry).localeCompare(getTime(b.entry)));
    if (!first) return;
    yield* entriesUpTo(shards, first.shard, first.shard.number + 1);
  }
}

function getTime({ declarations }: LogEntry): string {
  return declarations[0]?.revision.declaredAt ?? '';
}

/** Yields the entries of a shard up to a number, each after the entries of other shards that its declarations follow. */
async function* entriesUpTo(
  shards: readonly ShardReader[],
  shard: ShardReader,
  number: number,
): AsyncGenerator<readonly LoggedDeclaration[], void> {
  while (shard.number < number) {
    const { declarations } = await shard.readNext();
    for (const { follows } of declarations) {
      const other = follows && shards[follows.shard];
      if (other && other !== shard) yield* entriesUpTo(shards, other, follows.number);
    }
    shard.pass();
    yield declarations;
  }
}

/** Reads a shard of a log, entry by entry. */
class ShardReader {
  /** The number of the latest entry that was passed. */
  number: number;
  readonly #readPage: () => Promise<readonly LogEntry[]>;
  readonly #readLatest: () => Promise<number>;
  #page: readonly LogEntry[] = [];
  #latest = 0;

  constructor(log: DeclarationLog, tenant: string, shard: number, after: ExportCursor | null) {
    this.number = after?.numbers[shard] ?? 0;
    this.#readPage = () => log.after(tenant, shard, this.number);
    this.#readLatest = () => log.latest(tenant, shard);
  }

  /** Reads the number of the latest entry, which is the end of the export. */
  async begin(): Promise<void> {
    this.#latest = await this.#readLatest();
    if (this.#latest < this.number) throw new OperatorError(OF_OTHER_DATA);
  }

  isBehind(): boolean {
    return this.number < this.#latest;
  }

  /** Reads the next entry, which must exist; the reader stays before it. */
  async readNext(): Promise<LogEntry> {
    if (this.#page.length === 0) this.#page = await this.#readPage();
    const [entry] = this.#page;
    if (!entry) throw new Error(`The log has no entry after ${this.number}.`);
    return entry;
  }

  /** Passes the next entry. */
  pass(): void {
    this.#page = this.#page.slice(1);
    this.number++;
  }
}
