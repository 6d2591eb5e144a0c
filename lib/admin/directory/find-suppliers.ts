import { toEntity } from '../../domain/directory-entities.ts';
import type { Supplier, Tenant } from '../../domain/directory.ts';
import { itemsOf } from '../../runtime/pages.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';
import { keysIn } from '../../domain/record-keys.ts';
import { DirectorySnapshot } from './snapshot.ts';

/** Reads a tenant; throws an OperatorError if it does not exist. */
export async function readTenant({ records }: Pick<AdminPorts, 'records'>, name: string): Promise<Tenant> {
  const directory = new DirectorySnapshot(records);
  return toEntity.tenant(await directory.getExisting(keysIn(name).tenant));
}

/** Reads suppliers of a tenant, by default all; throws an OperatorError if the tenant or a supplier does not exist. */
export async function findSuppliers(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  supplierIds: string | readonly string[] = [],
): Promise<Supplier[]> {
  await readTenant({ records }, tenant);
  const suppliers = (await itemsOf(records.pages('supplier', tenant))).map(toEntity.supplier);
  const requested = new Set([supplierIds].flat());
  if (requested.size === 0) return suppliers;
  const found = suppliers.filter(({ supplierId }) => requested.has(supplierId));
  for (const { supplierId } of found) requested.delete(supplierId);
  const [unknown] = requested;
  if (unknown !== undefined) throw new OperatorError(`Supplier ${unknown} of ${tenant} does not exist.`);
  return found;
}
