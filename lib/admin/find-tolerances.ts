import { effectiveTolerance, type Tolerance } from '../domain/tolerance.ts';
import { type DirectoryItems, readDirectoryItem } from '../storage/directory-items.ts';
import { createDirectoryWriter } from '../storage/directory-writer.ts';
import { directoryKeys } from '../storage/keys.ts';
import { readTenant } from './read-tenant.ts';
import type { DataTarget } from './data-target.ts';

/** The tolerance of each of these distinct suppliers; one that the tenant does not have is left out. */
export type FindTolerances = (supplierIds: Iterable<string>) => Promise<ReadonlyMap<string, Tolerance>>;

/** Looks tolerances of a tenant's suppliers up, each once; throws a UsageError when there is no such tenant. */
export async function createToleranceFinder(target: DataTarget, tenant: string): Promise<FindTolerances> {
  const { tolerance: global } = await readTenant(target, tenant);
  const { read } = createDirectoryWriter(target.client, target.tables.Directory);
  const asked = new Set<string>();
  const tolerances = new Map<string, Tolerance>();
  return async (supplierIds) => {
    const unknown = [...supplierIds].filter((id) => !asked.has(id));
    for (const id of unknown) asked.add(id);
    for (const item of await read(unknown.map((id) => directoryKeys.supplier(tenant, id)))) {
      const supplier = readDirectoryItem.supplier(item as unknown as DirectoryItems['supplier']);
      tolerances.set(supplier.supplierId, effectiveTolerance(supplier.tolerance, global));
    }
    return tolerances;
  };
}
