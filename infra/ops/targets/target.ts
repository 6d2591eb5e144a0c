import type { DataTarget } from '../../../lib/admin/data-target.ts';

/** The installation that a command works on. */
export interface Target extends DataTarget {
  /** Who is running the command: for a deployed stack the ARN behind the credentials, on this machine the account's name. */
  readonly operator: () => Promise<string>;
  /** Runs the function that rotates the signing key; gives what it returns. */
  readonly rotateSigningKey: (request: { readonly leaked: boolean }) => Promise<unknown>;
}
