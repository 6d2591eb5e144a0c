import type { AdminPorts } from '../../composition/admin-ports.ts';
import type { DeclarationLog, LogEntry, LoggedDeclaration } from '../../storage/invoices/declaration-log.ts';
import { OperatorError } from '../operator-error.ts';
import type { ExportCursor } from './export-cursor.ts';

const OF_OTHER_DATA = 'The cursor is of other data: it is ahead of what was declared here.';

/** What an export reads, and from where it goes on. */
export interface DeclarationExport {
  /**
   * The declarations that were committed after the cursor and before the export began, transaction by transaction:
   * roughly in the order of their times, those of an invoice strictly in the order of its revisions. Some of later may
   * come with them.
   */
  readonly declarations: AsyncIterable<readonly LoggedDeclaration[]>;
  /** The cursor after what was read so far. */
  readonly cursor: () => ExportCursor;
}

/**
 * Exports the declarations of a tenant after a cursor (null: from the first one). Over any number of exports, each from
 * the cursor of the one before, every declaration comes exactly once. Throws an OperatorError for a cursor of other
 * data.
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
    await Promise.all(shards.map((shard) => shard.load()));
    const [next] = shards.filter((shard) => shard.isBehind()).toSorted((a, b) => a.time.localeCompare(b.time));
    if (!next) return;
    yield* entriesUpTo(shards, next, next.number + 1);
  }
}

/** The entries of a shard up to a number, each after those of other shards that its declarations follow. */
async function* entriesUpTo(
  shards: readonly ShardReader[],
  shard: ShardReader,
  number: number,
): AsyncGenerator<readonly LoggedDeclaration[], void> {
  while (shard.number < number) {
    const { declarations } = await shard.next();
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
  readonly #readPage: (number: number) => Promise<readonly LogEntry[]>;
  readonly #readLatest: () => Promise<number>;
  #page: readonly LogEntry[] = [];
  #latest = 0;

  constructor(log: DeclarationLog, tenant: string, shard: number, after: ExportCursor | null) {
    this.number = after?.numbers[shard] ?? 0;
    this.#readPage = (number) => log.after(tenant, shard, number);
    this.#readLatest = () => log.latest(tenant, shard);
  }

  /** Learns how far the shard goes now. */
  async begin(): Promise<void> {
    this.#latest = await this.#readLatest();
    if (this.#latest < this.number) throw new OperatorError(OF_OTHER_DATA);
  }

  isBehind(): boolean {
    return this.number < this.#latest;
  }

  /** Reads the next page, if there is one to come and none is read. */
  async load(): Promise<void> {
    if (this.#page.length === 0 && this.isBehind()) this.#page = await this.#readPage(this.number);
  }

  /** The time of the next entry, which is loaded; empty if there is none. */
  get time(): string {
    return this.#page[0]?.declarations[0]?.revision.declaredAt ?? '';
  }

  /** The next entry, which the log has. */
  async next(): Promise<LogEntry> {
    if (this.#page.length === 0) this.#page = await this.#readPage(this.number);
    const [entry] = this.#page;
    if (!entry) throw new Error(`The log has no entry after ${this.number}.`);
    return entry;
  }

  /** Leaves the next entry behind. */
  pass(): void {
    this.#page = this.#page.slice(1);
    this.number++;
  }
}
