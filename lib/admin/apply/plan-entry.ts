import type { Place } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn } from '../directory/directory-state.ts';
import { type Plan, planRecords, type Refusal } from '../directory/plan.ts';
import { leftAlone } from '../directory/stopped-by-command.ts';
import { type ToleranceRecord, toToleranceRecord } from '../directory/tolerance-record.ts';
import type { Entry, EntryOf, FaultyEntry } from './directory-entries.ts';
import { toToleranceConfig } from './directory-rules.ts';
import type { ToleranceValue } from './directory-schemas.ts';
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

/** The records that there would be, did this entry have no faults, and to which other entries may refer. */
export function placesNamedBy({ kind, tenant, value }: FaultyEntry): Place[] {
  const places = placesIn(tenant);
  const ids = value as { company_id?: unknown; supplier_id?: unknown } | null;
  switch (kind) {
    case 'tenant':
      return [places.tenant];
    case 'company':
      return [places.company(String(ids?.company_id))];
    case 'supplier':
      return [places.supplier(String(ids?.supplier_id))];
    case 'user':
    case 'api_key':
      return [];
  }
}

/** Plans an entry against the directory as it is or, by the plans before this one, will be. */
export function planEntry(entry: Entry, state: DirectoryState, passwordHash: string | undefined): Plan | Refusal {
  const plan = planRecord(entry, state, passwordHash);
  const faults = [...missingReferences(entry, state), ...('faults' in plan ? plan.faults : [])];
  return faults.length > 0 ? { faults } : plan;
}

function planRecord(entry: Entry, state: DirectoryState, passwordHash: string | undefined): Plan | Refusal {
  const places = placesIn(entry.tenant);
  switch (entry.kind) {
    case 'tenant':
      return planRecords(
        state.changeTo(places.tenant, {
          tenant: entry.tenant,
          ...toleranceAfter(entry.value.tolerance, state.get(places.tenant)),
        }),
      );
    case 'company':
      return planCompany(entry, state);
    case 'supplier': {
      const { tolerance, ...supplier } = entry.value;
      const place = places.supplier(supplier.supplier_id);
      return planRecords(state.changeTo(place, { ...supplier, ...toleranceAfter(tolerance, state.get(place)) }));
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

function planCompany({ tenant, value }: EntryOf<'company'>, state: DirectoryState): Plan {
  const place = placesIn(tenant).company(value.company_id);
  const since = state.get(place)?.stopped_at;
  const record = since === undefined ? value : ({ ...value, status: 'SUSPENDED', stopped_at: since } as const);
  return { ...planRecords(state.changeTo(place, record)), ...leftAlone('company', value.status, since) };
}

/** A tolerance is one value: it is replaced whole, stays when it is not named, and goes with null. */
function toleranceAfter(
  named: ToleranceValue | null | undefined,
  stored: { readonly tolerance?: ToleranceRecord } | null,
): { tolerance?: ToleranceRecord } {
  const config = toToleranceConfig(named);
  const tolerance = named === undefined ? stored?.tolerance : config && toToleranceRecord(config);
  return tolerance ? { tolerance } : {};
}
