import type { LogPosition } from '../../services/transactions.ts';
import type { OwnedRevision } from './admin-ports.ts';

/** The log of all declarations of a tenant: in a shard, an entry is written only after the ones before it. */
export interface DeclarationLog {
  /** How many shards each log has. */
  readonly shards: number;
  /** The number of the latest entry of a shard, strongly consistent; 0: it has none. */
  readonly latest: (tenant: string, shard: number) => Promise<number>;
  /** The next entries of a shard after one that is not its latest: at least one, without a gap, strongly consistent. */
  readonly after: (tenant: string, shard: number, number: number) => Promise<LogEntry[]>;
}

/** What one transaction wrote. */
export interface LogEntry {
  readonly number: number;
  /** Those of one invoice in the order of their revisions. */
  readonly declarations: readonly LoggedDeclaration[];
}

/** A declaration, and where the log names the one before it on the same invoice, if it does. */
export interface LoggedDeclaration extends OwnedRevision {
  readonly follows: LogPosition | null;
}
