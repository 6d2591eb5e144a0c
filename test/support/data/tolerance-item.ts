import type { ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { fromDecimal } from '../../../lib/storage/dynamodb/numbers.ts';
import type { DirectoryItems } from '../../../lib/storage/items/directory-items.ts';

/** The stored form of a configured tolerance. */
export function fromTolerance(config: ToleranceConfig): NonNullable<DirectoryItems['tenant']['tolerance']> {
  return {
    mode: config.mode,
    ...(config.pct && { tolerance_pct: fromDecimal(config.pct) }),
    ...(config.abs && { tolerance_abs: fromDecimal(config.abs) }),
    auto_approve: config.autoApprove,
  };
}
