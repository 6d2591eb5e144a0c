import type { EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import { OperatorError } from '../operator-errors.ts';
import { keysIn, type RecordKey } from '../tables/directory-records.ts';
import type { DirectoryChange } from './change-result.ts';
import type { DirectorySnapshot } from './change-directory.ts';
import { mergeEntry } from './entry-fields.ts';
import { planApiKeyEntry } from './plan-api-key.ts';
import { planUserEntry } from './plan-user.ts';
import { type Entry, type EntryContext, findErrors } from './read-entries.ts';

/** The errors of an entry that cannot be applied, each as `path: reason`. */
export class EntryErrors extends OperatorError {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

/** Plans the change of an entry. Throws EntryErrors if the entry cannot be applied. */
export async function planEntry(entry: Entry, directory: DirectorySnapshot, demoPassword?: string) {
  const { kind, path, tenant, value } = entry;
  const errors = findErrors(entry);
  if (errors.length > 0) throw new EntryErrors(errors);

  const keys = keysIn(tenant);
  const reject = (property: string, reason: string) => {
    errors.push(`${path}.${property}: ${reason}`);
  };
  if (kind !== 'tenant' && kind !== 'company') {
    const company = await directory.get(keys.company(value.company_id));
    if (!company) reject('company_id', `company ${value.company_id} does not exist`);
  }
  const change = await planByKind(entry, { directory, tenant, keys, demoPassword, reject });
  if (errors.length > 0) throw new EntryErrors(errors);
  return change;
}

async function planByKind({ kind, value }: Entry, context: EntryContext): Promise<DirectoryChange> {
  const { directory, keys } = context;
  if (kind === 'tenant') return planRecord(keys.tenant, value, directory);
  if (kind === 'company') return planRecord(keys.company(value.company_id), value, directory);
  if (kind === 'supplier') return planRecord(keys.supplier(value.supplier_id), value, directory);
  if (kind === 'user') return planUserEntry(value, context);
  return planApiKeyEntry(value, context);
}

async function planRecord<Kind extends EntityKind>(
  key: RecordKey<Kind>,
  value: FileValue<Kind>,
  directory: DirectorySnapshot,
): Promise<DirectoryChange> {
  const { record, keptOverrides } = mergeEntry(key.kind, value, await directory.get(key));
  return { entity: await directory.planChange(key, record), relatedChanges: [], keptOverrides };
}
