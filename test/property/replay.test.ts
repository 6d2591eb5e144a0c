import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReplay } from '../../infra/ops/directory/simulate-tolerance.ts';
import type { DeclarationRevision } from '../../lib/domain/declaration.ts';
import { type Decimal, decimal } from '../../lib/domain/money.ts';
import { evaluateTolerance, type Tolerance, TOLERANCE_MODES } from '../../lib/domain/tolerance.ts';

const micros = (most: bigint) => fc.bigInt({ min: 0n, max: most });
const toDecimal = (value: bigint): Decimal => decimal(`${value}e-6`);

/** Amounts that are often near each other, so that limits matter. */
const amounts = fc.array(
  fc
    .record({ system: micros(10n ** 12n), permille: fc.bigInt({ min: 0n, max: 2_000n }), extra: micros(5n) })
    .map(({ system, permille, extra }) => ({ system, declared: (system * permille) / 1_000n + extra })),
  { maxLength: 20 },
);
const rules = fc.record({
  mode: fc.constantFrom(...TOLERANCE_MODES),
  pct: micros(200_000_000n).map(toDecimal),
  abs: micros(10n ** 11n).map(toDecimal),
  autoApprove: fc.boolean(),
  source: fc.constant('global' as const),
});

/** Declarations of these amounts as the service made them under a rule. */
function declarationsUnder(rule: Tolerance, made: readonly { system: bigint; declared: bigint }[]) {
  return made.map(({ system, declared }) => {
    const [amount, systemAmount] = [toDecimal(declared), toDecimal(system)];
    return { amount, systemAmount, outcome: evaluateTolerance(amount, systemAmount, rule) } as DeclarationRevision;
  });
}

function replay(rule: Tolerance, declarations: readonly DeclarationRevision[]) {
  const run = createReplay(rule);
  for (const declaration of declarations) run.add(declaration);
  return run.changes;
}

describe('replaying declarations', () => {
  it('under the rule that was applied changes nothing, and loses no digit of any', () => {
    fc.assert(
      fc.property(rules, amounts, (rule, made) => {
        const changes = replay(rule, declarationsUnder(rule, made));
        for (const { before, after, declarations } of changes) if (before !== after) expect(declarations).toBe(0);
        expect(changes.reduce((sum, { declarations }) => sum + declarations, 0)).toBe(made.length);
        const sumOf = (part: 'declared' | 'difference') => {
          const sum = changes.reduce((total, change) => total.plus(change[part]), decimal(0));
          return BigInt(sum.times(1_000_000).toFixed());
        };
        expect(sumOf('declared')).toBe(made.reduce((sum, { declared }) => sum + declared, 0n));
        expect(sumOf('difference')).toBe(made.reduce((sum, { declared, system }) => sum + declared - system, 0n));
      }),
    );
  });

  it('under higher limits takes the approval from none', () => {
    fc.assert(
      fc.property(rules, micros(10n ** 9n), micros(10n ** 11n), amounts, (rule, pct, abs, made) => {
        const raised = { ...rule, pct: rule.pct.plus(toDecimal(pct)), abs: rule.abs.plus(toDecimal(abs)) };
        const [reviewed] = replay(raised, declarationsUnder(rule, made));
        expect(reviewed).toMatchObject({ before: 'AUTO_APPROVE', after: 'REVIEW', declarations: 0 });
      }),
    );
  });
});
