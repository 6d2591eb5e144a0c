import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { Target } from './target.ts';

/** What the options say of the target. */
export interface TargetChoice {
  readonly local?: boolean | undefined;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
}

/** Opens the target that the options name; throws an OperatorError unless that is exactly one, and there. */
export async function openTarget(
  { local = false, stack, region }: TargetChoice,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Target> {
  if (local === (stack !== undefined)) throw new OperatorError('Name one target: --local or --stack NAME.');
  if (stack === undefined) {
    if (region !== undefined) throw new OperatorError('--region belongs to --stack.');
    return (await import('./local-target.ts')).openLocalTarget(env);
  }
  return (await import('./stack-target.ts')).openStackTarget(stack, region);
}
