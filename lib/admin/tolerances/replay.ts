import type { DeclarationRevision } from '../../domain/declaration.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { type Action, compare, type Tolerance } from '../../domain/tolerance.ts';

/**
 * Declarations that met with `before` when they were made, and meet with `after` under the proposed rule; the sums are
 * exact.
 */
export interface Fate {
  readonly before: Action;
  readonly after: Action;
  declarations: number;
  declared: Decimal;
  /** Declared minus system amounts. */
  difference: Decimal;
}

/** Replays declarations, one after the other, under a proposed rule. */
export class Replay {
  readonly #rule: Tolerance;
  /** What changes, then what stays. */
  readonly fates: readonly Fate[] = [
    noneYet('AUTO_APPROVE', 'REVIEW'),
    noneYet('REVIEW', 'AUTO_APPROVE'),
    noneYet('AUTO_APPROVE', 'AUTO_APPROVE'),
    noneYet('REVIEW', 'REVIEW'),
  ];

  constructor(rule: Tolerance) {
    this.#rule = rule;
  }

  /** Adds a declaration, against the system amount of its time; what the company's decision held stays in review. */
  add({ amount, systemAmount, outcome, heldForReview }: DeclarationRevision): void {
    const { action, difference } = compare(amount, systemAmount, this.#rule);
    const after = heldForReview ? 'REVIEW' : action;
    for (const fate of this.fates) {
      if (fate.before !== outcome.action || fate.after !== after) continue;
      fate.declarations += 1;
      fate.declared = fate.declared.plus(amount);
      fate.difference = fate.difference.plus(difference);
    }
  }
}

function noneYet(before: Action, after: Action): Fate {
  return { before, after, declarations: 0, declared: decimal(0), difference: decimal(0) };
}
