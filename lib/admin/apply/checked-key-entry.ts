import { OperatorError } from '../operator-error.ts';
import { type EntryOf, findFaults } from './directory-entries.ts';
import { checkRules } from './directory-rules.ts';
import type { EntryValues } from './directory-schemas.ts';

/** The entry with which a file would ask for this API key; throws an OperatorError that names its faults. */
export function checkedKeyEntry(tenant: string, value: EntryValues['api_key']): EntryOf<'api_key'> {
  const entry = { kind: 'api_key', path: 'api_key', tenant, value } as const;
  const faults = findFaults.api_key(value, entry.path);
  if (faults.length === 0) faults.push(...checkRules([entry]).rejections.flatMap((rejection) => rejection.faults));
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  return entry;
}
