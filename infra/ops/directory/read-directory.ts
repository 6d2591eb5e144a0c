import { type Entity, toEntity, toToleranceConfig } from '../../../lib/domain/directory.ts';
import { keysIn, type ListedKind, type ListedRecord } from '../tables/directory-records.ts';
import { selectTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { DirectorySnapshot } from './change-directory.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** Reads the names of all tenants; this scans the whole table Directory. */
export async function readTenantNames({ records }: Ports): Promise<string[]> {
  return (await collectPages(records.tenants())).map(({ tenant }) => tenant);
}

/** Reads a tenant; throws an OperatorError if it does not exist. */
export async function readTenant({ records }: Ports, name: string): Promise<Entity<'tenant'>> {
  return toEntity.tenant(await new DirectorySnapshot(records).getExisting(keysIn(name).tenant));
}

/** Reads suppliers of a tenant, by default all; throws an OperatorError if the tenant or a supplier does not exist. */
export async function findSuppliers(
  { records }: Ports,
  tenant: string,
  supplierIds: string | readonly string[] = [],
): Promise<Entity<'supplier'>[]> {
  const suppliers = (await collectPages(listRecords({ records }, 'supplier', tenant))).map(toEntity.supplier);
  const requested = new Set([supplierIds].flat());
  if (requested.size === 0) return suppliers;
  const found = suppliers.filter(({ supplierId }) => requested.delete(supplierId));
  const [unknown] = requested;
  if (unknown !== undefined) throw new OperatorError(`Supplier ${unknown} of ${tenant} does not exist.`);
  return found;
}

/**
 * Creates a function that finds the tolerances of suppliers of a tenant, and reads each supplier once. The function
 * omits suppliers that do not exist. Throws an OperatorError if the tenant does not exist.
 */
export async function createToleranceFinder({ records }: Ports, tenant: string) {
  const { tolerance: global } = await readTenant({ records }, tenant);
  const requested = new Set<string>();
  const tolerances = new Map<string, Tolerance>();
  return async (supplierIds: Iterable<string>): Promise<ReadonlyMap<string, Tolerance>> => {
    const unread = [...supplierIds].filter((id) => !requested.has(id));
    for (const id of unread) requested.add(id);
    for (const supplier of await records.read(unread.map(keysIn(tenant).supplier))) {
      if (!supplier) continue;
      tolerances.set(supplier.supplier_id, selectTolerance(toToleranceConfig(supplier.tolerance), global));
    }
    return tolerances;
  };
}

/**
 * Lists the records of one kind of a tenant or a company, page by page. Throws an OperatorError if the tenant or the
 * company does not exist.
 */
export async function* listRecords<Kind extends ListedKind>(
  { records }: Ports,
  kind: Kind,
  tenant: string,
  companyId?: string,
): AsyncGenerator<readonly ListedRecord<Kind>[]> {
  const keys = keysIn(tenant);
  await new DirectorySnapshot(records).getExisting(companyId === undefined ? keys.tenant : keys.company(companyId));
  for await (const page of records.pages(kind, tenant)) {
    yield page.filter((record: Attributes) => companyId === undefined || record['company_id'] === companyId);
  }
}
