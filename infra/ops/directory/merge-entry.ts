import type { DirectoryRecord, EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { toRecordFields } from './entry-fields.ts';

/** The commands that suspend an entity, with the property and value that a file cannot change afterwards. */
const SUSPENSIONS = {
  company: { property: 'status', value: 'SUSPENDED', command: 'suspend-company' },
  user: { property: 'active', value: false, command: 'deactivate-user' },
  api_key: { property: 'status', value: 'INACTIVE', command: 'revoke-key' },
};

/** Merges an entry into a stored record. An absent field keeps its value, null removes it, and a suspension remains. */
export function mergeEntry<Kind extends EntityKind>(
  kind: Kind,
  value: FileValue<Kind>,
  stored: DirectoryRecord<Kind> | null,
) {
  const merged: Attributes = { ...stored, ...toRecordFields(kind, value) };
  const suspendedAt = merged['stopped_at'] ?? merged['revoked_at'];
  if (suspendedAt === undefined) return { record: merged as DirectoryRecord<Kind> };

  const { property, value: keptValue, command } = SUSPENSIONS[kind as keyof typeof SUSPENSIONS];
  const record = { ...merged, [property]: keptValue } as DirectoryRecord<Kind>;
  if (merged[property] === keptValue) return { record };
  const reason = `${command} was run at ${suspendedAt as string}`;
  return { record, keptOverrides: [{ property, value: keptValue, reason }] };
}
