import { effectiveTolerance, type Tolerance } from '../../domain/tolerance.ts';
import { readTenant } from '../directory/find-suppliers.ts';
import { keysIn } from '../ports/directory-records.ts';
import { configuredTolerance } from '../directory/tolerances.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

/** The tolerance of each of these distinct suppliers; one that the tenant does not have is left out. */
export type FindTolerances = (supplierIds: Iterable<string>) => Promise<ReadonlyMap<string, Tolerance>>;

/** Looks tolerances of a tenant's suppliers up, each once; throws an OperatorError when there is no such tenant. */
export async function createToleranceFinder(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
): Promise<FindTolerances> {
  const { tolerance: global } = await readTenant({ records }, tenant);
  const asked = new Set<string>();
  const tolerances = new Map<string, Tolerance>();
  return async (supplierIds) => {
    const unknown = [...supplierIds].filter((id) => !asked.has(id));
    for (const id of unknown) asked.add(id);
    for (const supplier of await records.read(unknown.map(keysIn(tenant).supplier))) {
      if (supplier) tolerances.set(supplier.supplier_id, effectiveTolerance(configuredTolerance(supplier), global));
    }
    return tolerances;
  };
}
