import type { Supplier } from '../domain/directory.ts';
import { createDirectoryLists } from '../storage/directory-lists.ts';
import { readTenant } from './read-tenant.ts';
import type { DataTarget } from './data-target.ts';
import { UsageError } from './usage-error.ts';

/** The suppliers of a tenant, all of them or the one that is named; throws a UsageError when it or the tenant is not there. */
export async function findSuppliers(
  target: DataTarget,
  tenant: string,
  supplierId: string | undefined,
): Promise<Supplier[]> {
  await readTenant(target, tenant);
  const suppliers = await createDirectoryLists(target.client, target.tables.Directory).suppliers(tenant);
  if (supplierId === undefined) return suppliers;
  const named = suppliers.filter((supplier) => supplier.supplierId === supplierId);
  if (named.length === 0) throw new UsageError(`There is no supplier ${supplierId} in ${tenant}.`);
  return named;
}
