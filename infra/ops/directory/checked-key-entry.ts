import { findFaults } from '../apply/directory-entries.ts';
import { checkRules } from '../apply/directory-rules.ts';
import type { EntryValues } from '../apply/directory-schemas.ts';
import type { EntryOf } from '../apply/plan.ts';
import { UsageError } from '../usage-error.ts';

/** The entry with which a file would ask for this API key; throws a UsageError that names its faults. */
export function checkedKeyEntry(tenant: string, value: EntryValues['api_key']): EntryOf<'api_key'> {
  const entry = { kind: 'api_key', path: 'api_key', tenant, value } as const;
  const faults = findFaults.api_key(value, entry.path);
  if (faults.length === 0) faults.push(...checkRules([entry]).rejections.flatMap((rejection) => rejection.faults));
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return entry;
}
