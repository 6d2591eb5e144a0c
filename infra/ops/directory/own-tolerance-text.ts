import { configuredTolerance, type ToleranceRecord } from '../../../lib/admin/directory/tolerance-record.ts';
import { limitsText } from '../tolerances/tolerance-text.ts';

/** The tolerance that a tenant or a supplier has of its own, in a few words; a dash: it has none. */
export function ownToleranceText(record: { readonly tolerance?: ToleranceRecord }): string {
  const config = configuredTolerance(record);
  return config ? limitsText(config) : '-';
}
