import { type Decimal, computeDifference, computeDifferencePct } from './money.ts';

/** The kinds of limit of a tolerance: a percentage (PCT), an absolute amount (ABS), or both (AMB, Spanish `ambos`). */
export const TOLERANCE_MODES = ['PCT', 'ABS', 'AMB'] as const;
export type ToleranceMode = (typeof TOLERANCE_MODES)[number];

/** The origins of a tolerance: the supplier, the tenant (`global`), or none. */
export const TOLERANCE_SOURCES = ['proveedor', 'global', 'ninguna'] as const;
export type ToleranceSource = (typeof TOLERANCE_SOURCES)[number];

/** The configured tolerance of a supplier or of the tenant. A limit that the mode needs is never null. */
export interface ToleranceConfig {
  readonly mode: ToleranceMode;
  readonly pct: Decimal | null;
  readonly abs: Decimal | null;
  readonly autoApprove: boolean;
}

/** The tolerance that applies to a supplier. If `mode` is null, only the system amount itself is within tolerance. */
export interface Tolerance extends Omit<ToleranceConfig, 'mode'> {
  readonly mode: ToleranceMode | null;
  readonly source: ToleranceSource;
}

export const ACTIONS = ['AUTO_APPROVE', 'REVIEW'] as const;
export type Action = (typeof ACTIONS)[number];

/** The comparison of a declared amount with the system amount. Only `differencePct` is rounded. */
export interface ToleranceOutcome {
  readonly isWithinTolerance: boolean;
  readonly difference: Decimal;
  readonly differencePct: Decimal;
  readonly differenceAbs: Decimal;
  readonly action: Action;
  readonly source: ToleranceSource;
}

/** The stored part of an outcome. It shows whether a repeated declaration changes the outcome. */
export type OutcomeSnapshot = Pick<ToleranceOutcome, 'isWithinTolerance' | 'difference' | 'action' | 'source'>;

const NO_TOLERANCE: Tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' };

/** Selects the tolerance of the supplier. Without it, selects the tolerance of the tenant, or no tolerance. */
export function selectTolerance(supplier: ToleranceConfig | null, tenant: ToleranceConfig | null): Tolerance {
  if (supplier) return { ...supplier, source: 'proveedor' };
  if (tenant) return { ...tenant, source: 'global' };
  return NO_TOLERANCE;
}

/** Finds a limit that the mode needs and that is missing. Returns null if the tolerance is complete. */
export function findMissingLimit(
  mode: ToleranceMode,
  pct: Decimal | number | null | undefined,
  abs: Decimal | number | null | undefined,
): 'pct' | 'abs' | null {
  if (mode !== 'ABS' && (pct ?? null) === null) return 'pct';
  if (mode !== 'PCT' && (abs ?? null) === null) return 'abs';
  return null;
}

export function evaluateTolerance(declared: Decimal, system: Decimal, tolerance: Tolerance): ToleranceOutcome {
  const difference = computeDifference(declared, system);
  const isWithinTolerance = isDifferenceAllowed(difference, system, tolerance);
  return {
    isWithinTolerance,
    difference,
    differencePct: computeDifferencePct(difference, system),
    differenceAbs: difference.abs(),
    action: isWithinTolerance && tolerance.autoApprove ? 'AUTO_APPROVE' : 'REVIEW',
    source: tolerance.source,
  };
}

/** True if two outcomes are equal. An unknown outcome (null) is not equal to any outcome. */
export function isSameOutcome(first: OutcomeSnapshot | null, second: OutcomeSnapshot | null): boolean {
  return (
    first !== null &&
    second !== null &&
    first.isWithinTolerance === second.isWithinTolerance &&
    first.difference.eq(second.difference) &&
    first.action === second.action &&
    first.source === second.source
  );
}

function isDifferenceAllowed(difference: Decimal, system: Decimal, { mode, pct, abs }: Tolerance): boolean {
  if (mode === null) return difference.eq(0);
  // Both sides are multiplied, because a division would round. For a system amount of 0, only 0 is within.
  const allowedHundredfold = system.abs().times(pct ?? 0);
  const isWithinPct = mode === 'ABS' || difference.abs().times(100).lte(allowedHundredfold);
  const isWithinAbs = mode === 'PCT' || difference.abs().lte(abs ?? 0);
  return isWithinPct && isWithinAbs;
}
