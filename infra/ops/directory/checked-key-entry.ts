import { findFaults } from '../../../lib/admin/apply/directory-entries.ts';
import { checkRules } from '../../../lib/admin/apply/directory-rules.ts';
import type { EntryValues } from '../../../lib/admin/apply/directory-schemas.ts';
import type { EntryOf } from '../../../lib/admin/apply/plan.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';

/** The entry with which a file would ask for this API key; throws a UsageError that names its faults. */
export function checkedKeyEntry(tenant: string, value: EntryValues['api_key']): EntryOf<'api_key'> {
  const entry = { kind: 'api_key', path: 'api_key', tenant, value } as const;
  const faults = findFaults.api_key(value, entry.path);
  if (faults.length === 0) faults.push(...checkRules([entry]).rejections.flatMap((rejection) => rejection.faults));
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return entry;
}
