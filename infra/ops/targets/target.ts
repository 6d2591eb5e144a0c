import type { Installation } from '../../../lib/admin/installation.ts';
import type { RawTable } from '../../../lib/storage/tables/raw-table.ts';
import type { TableFreeze } from '../../../lib/storage/tables/table-freeze.ts';

export type { RawTable, TableFreeze };

/** What a command works on. */
export interface Target {
  readonly installation: Installation;
  /** The names of the tables by those of the outputs: those of the service, and others that stand beside them. */
  readonly tables: Readonly<Record<string, string>>;
  /** A table as it is, by its name. */
  readonly rawTable: (name: string) => RawTable;
  /** Freezes a table; undefined where no table can be frozen. */
  readonly tableFreeze: ((name: string) => TableFreeze) | undefined;
  /** What is destroyed when the command ends. */
  readonly client: { destroy(): void };
  /**
   * Who is running the command: for a deployed stack the ARN behind the credentials, on this machine the account's
   * name.
   */
  readonly operator: () => Promise<string>;
  /** Runs the function that rotates the signing key; gives what it returns. */
  readonly rotateSigningKey: (request: { readonly leaked: boolean }) => Promise<unknown>;
}
