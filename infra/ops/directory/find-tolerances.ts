import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { toToleranceConfig, toToleranceRecord } from '../../../lib/domain/directory.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import { effectiveTolerance, type Tolerance, type ToleranceConfig } from '../../../lib/domain/tolerance.ts';
import { changeDirectory, type ChangeResult } from './change-directory.ts';
import { readTenant } from './read-directory.ts';

/** Sets or (null) removes the tolerance of a supplier or, without a supplier, the global tolerance of the tenant. */
export function changeTolerance(
  { records }: Pick<AdminPorts, 'records'>,
  { tenant, supplier: id }: { readonly tenant: string; readonly supplier: string | undefined },
  config: ToleranceConfig | null,
): Promise<ChangeResult> {
  const keys = keysIn(tenant);
  const tolerance = toToleranceRecord(config);
  return changeDirectory(records, async (directory) => {
    const key = id === undefined ? keys.tenant : keys.supplier(id);
    return { record: await directory.planChange(key, { ...(await directory.getExisting(key)), tolerance }) };
  });
}

/** Finds the tolerances of distinct suppliers; omits suppliers that do not exist. */
export type FindTolerances = (supplierIds: Iterable<string>) => Promise<ReadonlyMap<string, Tolerance>>;

/** Creates a finder that reads each supplier of a tenant once; throws an OperatorError if the tenant does not exist. */
export async function createToleranceFinder(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
): Promise<FindTolerances> {
  const { tolerance: global } = await readTenant({ records }, tenant);
  const requested = new Set<string>();
  const tolerances = new Map<string, Tolerance>();
  return async (supplierIds) => {
    const unread = [...supplierIds].filter((id) => !requested.has(id));
    for (const id of unread) requested.add(id);
    for (const supplier of await records.read(unread.map(keysIn(tenant).supplier))) {
      if (!supplier) continue;
      tolerances.set(supplier.supplier_id, effectiveTolerance(toToleranceConfig(supplier.tolerance), global));
    }
    return tolerances;
  };
}
