import { UsageError } from '../../../lib/admin/usage-error.ts';
import type { Target } from './target.ts';

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
