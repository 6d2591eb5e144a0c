import type { DirectoryChange } from '../directory/change.ts';
import { keysIn } from '../ports/directory-records.ts';
import type { DirectorySnapshot } from '../directory/snapshot.ts';
import { leftAlone } from '../directory/stops.ts';
import { type MayHaveTolerance, toleranceAttribute } from '../directory/tolerances.ts';
import { OperatorError } from '../operator-error.ts';
import { changeApiKeyEntry } from './change-key-entry.ts';
import { changeUserEntry } from './change-user-entry.ts';
import type { Entry, EntryContext, EntryOf } from './directory-entries.ts';
import { toToleranceConfig } from './directory-rules.ts';
import type { EntryValues } from './directory-schemas.ts';

/** Why Directory cannot be as an entry says, each fault as `path: reason`. */
export class EntryFaults extends OperatorError {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * The change that makes Directory as an entry says; throws EntryFaults. `passwordHash` is that of the password that the
 * entry gives.
 */
export async function changeEntry(
  entry: Entry,
  directory: DirectorySnapshot,
  passwordHash?: string,
): Promise<DirectoryChange> {
  const faults = await missingReferences(entry, directory);
  const change = await changeOf(entry, { directory, faults, passwordHash });
  if (faults.length > 0) throw new EntryFaults(faults);
  return change;
}

async function changeOf(entry: Entry, context: EntryContext): Promise<DirectoryChange> {
  const { directory } = context;
  const { kind, tenant } = entry;
  const keys = keysIn(tenant);
  switch (kind) {
    case 'tenant': {
      const tolerance = toleranceAfter(entry.value, await directory.get(keys.tenant));
      return { subject: { kind, tenant }, record: await directory.changeTo(keys.tenant, { tenant, ...tolerance }) };
    }
    case 'company':
      return changeCompany(entry, directory);
    case 'supplier': {
      const { supplier_id: id, name, company_id } = entry.value;
      const key = keys.supplier(id);
      const tolerance = toleranceAfter(entry.value, await directory.get(key));
      const record = { supplier_id: id, name, company_id, ...tolerance };
      return { subject: { kind, tenant, supplier_id: id }, record: await directory.changeTo(key, record) };
    }
    case 'user':
      return changeUserEntry(entry, context);
    case 'api_key':
      return changeApiKeyEntry(entry, context);
  }
}

async function missingReferences(
  { kind, path, tenant, value }: Entry,
  directory: DirectorySnapshot,
): Promise<string[]> {
  if (kind === 'tenant') return [];
  const keys = keysIn(tenant);
  if (!(await directory.get(keys.tenant))) return [`${path}: its tenant does not exist`];
  const faults: string[] = [];
  if (kind !== 'company' && !(await directory.get(keys.company(value.company_id)))) {
    faults.push(`${path}.company_id: there is no company ${value.company_id}`);
  }
  if (kind === 'user' && value.supplier_id && !(await directory.get(keys.supplier(value.supplier_id)))) {
    faults.push(`${path}.supplier_id: there is no supplier ${value.supplier_id}`);
  }
  return faults;
}

async function changeCompany(
  { kind, tenant, value }: EntryOf<'company'>,
  directory: DirectorySnapshot,
): Promise<DirectoryChange> {
  const key = keysIn(tenant).company(value.company_id);
  const since = (await directory.get(key))?.stopped_at;
  const record = since === undefined ? value : ({ ...value, status: 'SUSPENDED', stopped_at: since } as const);
  return {
    subject: { kind, tenant, company_id: value.company_id },
    record: await directory.changeTo(key, record),
    leftAlone: leftAlone(kind, value.status, since),
  };
}

/** A tolerance is one value: it is replaced whole, stays when it is not named, and goes with null. */
function toleranceAfter(
  { tolerance }: Pick<EntryValues['supplier'], 'tolerance'>,
  stored: MayHaveTolerance | null,
): MayHaveTolerance {
  if (tolerance !== undefined) return toleranceAttribute(toToleranceConfig(tolerance));
  return stored?.tolerance ? { tolerance: stored.tolerance } : {};
}
