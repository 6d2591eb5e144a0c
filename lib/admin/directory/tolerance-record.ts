import type { ToleranceConfig } from '../../domain/tolerance.ts';
import type { DirectoryRecord } from '../../storage/directory/directory-records.ts';

/** A configured tolerance as a record holds it. */
export type ToleranceRecord = NonNullable<DirectoryRecord<'tenant'>['tolerance']>;

/** What a record holds of a configured tolerance. */
export function toToleranceRecord({ mode, pct, abs, autoApprove }: ToleranceConfig): ToleranceRecord {
  return {
    mode,
    ...(pct && { tolerance_pct: pct }),
    ...(abs && { tolerance_abs: abs }),
    auto_approve: autoApprove,
  };
}

/** The tolerance that a record configures; null: it has none. */
export function configuredTolerance(record: { readonly tolerance?: ToleranceRecord }): ToleranceConfig | null {
  if (!record.tolerance) return null;
  const { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve: autoApprove } = record.tolerance;
  return { mode, pct: pct ?? null, abs: abs ?? null, autoApprove };
}
