import type { DataTarget } from '../../../lib/admin/data-target.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';

/** The installation that a command works on. */
export interface Target extends DataTarget {
  /** Who is running the command: for a deployed stack the ARN behind the credentials, on this machine the account's name. */
  readonly operator: () => Promise<string>;
  /** Runs the function that rotates the signing key; gives what it returns. */
  readonly rotateSigningKey: (request: { readonly leaked: boolean }) => Promise<unknown>;
}

/** What the options say of the target. */
export interface TargetChoice {
  readonly local?: boolean | undefined;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
}

/** Opens the target that the options name; throws a UsageError unless that is exactly one, and there. */
export async function openTarget({ local = false, stack, region }: TargetChoice): Promise<Target> {
  if (local === (stack !== undefined)) throw new UsageError('Name one target: --local or --stack NAME.');
  if (stack === undefined) {
    if (region !== undefined) throw new UsageError('--region belongs to --stack.');
    return (await import('./local-target.ts')).openLocalTarget();
  }
  return (await import('./stack-target.ts')).openStackTarget(stack, region);
}
