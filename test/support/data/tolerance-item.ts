import type { ToleranceRecord } from '../../../lib/domain/directory-fields.ts';
import type { ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { fromDecimal, type StoredNumber } from '../../../lib/tables/dynamodb/values.ts';

/** Converts a configured tolerance to its stored form. */
export function fromTolerance(config: ToleranceConfig): ToleranceRecord<StoredNumber> {
  return {
    mode: config.mode,
    ...(config.pct && { tolerance_pct: fromDecimal(config.pct) }),
    ...(config.abs && { tolerance_abs: fromDecimal(config.abs) }),
    auto_approve: config.autoApprove,
  };
}
