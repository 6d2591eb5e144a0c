import { fromTolerance } from '../../../lib/storage/directory-items.ts';
import type { Entry } from './directory-entries.ts';
import { toToleranceConfig } from './directory-rules.ts';
import type { ToleranceValue } from './directory-schemas.ts';
import { type DirectoryState, type Place, placesIn } from './directory-state.ts';
import { type Plan, planRecord } from './plan.ts';
import { placesOfApiKey, planApiKey } from './plan-api-key.ts';
import { placesOfUser, planUser } from './plan-user.ts';

/** The records on which the plan of an entry depends, as far as what is known already leads to them. */
export function placesOf(entry: Entry, state: DirectoryState): Place[] {
  const places = placesIn(entry.tenant);
  switch (entry.kind) {
    case 'tenant':
      return [places.tenant];
    case 'company':
      return [places.tenant, places.company(entry.value.company_id)];
    case 'supplier':
      return [places.tenant, places.company(entry.value.company_id), places.supplier(entry.value.supplier_id)];
    case 'user':
      return [places.tenant, places.company(entry.value.company_id), ...placesOfUser(entry, state)];
    case 'api_key':
      return [places.tenant, places.company(entry.value.company_id), ...placesOfApiKey(entry, state)];
  }
}

/** Plans an entry against the directory as it is or, by the plans before this one, will be. */
export function planEntry(entry: Entry, state: DirectoryState, passwordHash: string | undefined): Plan {
  const faults = missingReferences(entry, state);
  if (faults.length > 0) return { faults };
  const places = placesIn(entry.tenant);
  switch (entry.kind) {
    case 'tenant':
      return planRecord(places.tenant, { tenant: entry.tenant, ...stored(entry.value.tolerance) }, state);
    case 'company':
      return planRecord(places.company(entry.value.company_id), entry.value, state);
    case 'supplier': {
      const { tolerance, ...supplier } = entry.value;
      return planRecord(places.supplier(supplier.supplier_id), { ...supplier, ...stored(tolerance) }, state);
    }
    case 'user':
      return planUser(entry, state, passwordHash);
    case 'api_key':
      return planApiKey(entry, state);
  }
}

function missingReferences({ kind, path, tenant, value }: Entry, state: DirectoryState): string[] {
  if (kind === 'tenant') return [];
  const places = placesIn(tenant);
  if (!state.get(places.tenant)) return [`${path}: its tenant does not exist`];
  const company = kind !== 'company' && !state.get(places.company(value.company_id));
  const supplier = kind === 'user' && value.supplier_id && !state.get(places.supplier(value.supplier_id));
  return [
    ...(company ? [`${path}.company_id: there is no company ${value.company_id}`] : []),
    ...(supplier ? [`${path}.supplier_id: there is no supplier ${value.supplier_id}`] : []),
  ];
}

function stored(tolerance: ToleranceValue | null | undefined) {
  const config = toToleranceConfig(tolerance);
  return config ? { tolerance: fromTolerance(config) } : {};
}
