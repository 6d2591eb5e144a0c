import type { ToleranceConfig } from '../../domain/tolerance.ts';
import type { ToleranceRecord } from '../ports/directory-records.ts';

/** A tenant or a supplier, which may have a tolerance of its own. */
export interface MayHaveTolerance {
  readonly tolerance?: ToleranceRecord;
}

/** The tolerance that a record configures; null: it has none. */
export function configuredTolerance({ tolerance }: MayHaveTolerance): ToleranceConfig | null {
  if (!tolerance) return null;
  const { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve: autoApprove } = tolerance;
  return { mode, pct: pct ?? null, abs: abs ?? null, autoApprove };
}

/** The part of a record that configures a tolerance; null: none. */
export function toleranceAttribute(config: ToleranceConfig | null): MayHaveTolerance {
  if (!config) return {};
  const { mode, pct, abs, autoApprove } = config;
  const limits = { ...(pct && { tolerance_pct: pct }), ...(abs && { tolerance_abs: abs }) };
  return { tolerance: { mode, ...limits, auto_approve: autoApprove } };
}
