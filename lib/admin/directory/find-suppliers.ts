import type { Supplier, Tenant } from '../../domain/directory.ts';
import { itemsOf } from '../../runtime/pages.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';
import { keysIn } from '../ports/directory-records.ts';
import { DirectorySnapshot } from './snapshot.ts';
import { configuredTolerance } from './tolerances.ts';

/** A tenant; throws an OperatorError when there is none of this name. */
export async function readTenant({ records }: Pick<AdminPorts, 'records'>, name: string): Promise<Tenant> {
  const record = await new DirectorySnapshot(records.read).existing(keysIn(name).tenant, `tenant ${name}`);
  return { tenant: name, tolerance: configuredTolerance(record) };
}

/**
 * The suppliers of a tenant, all of them or the one that is named; throws an OperatorError when it or the tenant is not
 * there.
 */
export async function findSuppliers(
  ports: Pick<AdminPorts, 'records'>,
  tenant: string,
  supplierId: string | undefined,
): Promise<Supplier[]> {
  return findNamedSuppliers(ports, tenant, supplierId === undefined ? [] : [supplierId]);
}

/** The same for any number of names; without one, all are meant. */
export async function findNamedSuppliers(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  supplierIds: readonly string[],
): Promise<Supplier[]> {
  await readTenant({ records }, tenant);
  const suppliers = (await itemsOf(records.pages('supplier', tenant))).map((record) => ({
    supplierId: record.supplier_id,
    companyId: record.company_id,
    tolerance: configuredTolerance(record),
  }));
  if (supplierIds.length === 0) return suppliers;
  const existing = new Set(suppliers.map(({ supplierId }) => supplierId));
  const unknown = supplierIds.find((id) => !existing.has(id));
  if (unknown !== undefined) throw new OperatorError(`There is no supplier ${unknown} in ${tenant}.`);
  return suppliers.filter(({ supplierId }) => supplierIds.includes(supplierId));
}
