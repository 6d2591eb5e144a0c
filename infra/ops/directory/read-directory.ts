import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { type Entity, toEntity, toToleranceConfig } from '../../../lib/domain/directory.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { selectTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn, type ListedKind, type ListedRecord } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { DirectorySnapshot } from './change-directory.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** A user and its account, which is null until the user has a password. */
export interface UserAndAccount {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
}

/** Reads the names of all tenants. This scans the whole table Directory. */
export async function readTenantNames({ records }: Ports): Promise<string[]> {
  const tenants = await collectPages(records.tenants());
  return tenants.map(({ tenant }) => tenant);
}

/** Reads a tenant. Throws an OperatorError if it does not exist. */
export async function readTenant({ records }: Ports, name: string): Promise<Entity<'tenant'>> {
  return toEntity.tenant(await new DirectorySnapshot(records).getExisting(keysIn(name).tenant));
}

/** Finds one supplier of a tenant, by default all. Throws an OperatorError if the tenant or the supplier does not exist. */
export async function findSuppliers(ports: Ports, tenant: string, supplierId?: string): Promise<SupplierScope[]> {
  const records = await collectPages(listRecords(ports, 'supplier', tenant));
  const selectedRecords = records.filter((record) => supplierId === undefined || record.supplier_id === supplierId);
  if (supplierId !== undefined && selectedRecords.length === 0) {
    throw new OperatorError(translate(opsTexts.unknownSupplier(supplierId, tenant)));
  }
  return selectedRecords.map((record) => ({ tenant, supplierId: record.supplier_id }));
}

/** Reads the tolerances of existing suppliers of a tenant. Throws an OperatorError if the tenant does not exist. */
export async function readTolerances(ports: Ports, tenant: string, supplierIds: Iterable<string>) {
  const { tolerance: globalTolerance } = await readTenant(ports, tenant);
  const keys = Array.from(supplierIds, keysIn(tenant).supplier);
  const tolerances = new Map<string, Tolerance>();
  for (const supplier of await ports.records.read(keys)) {
    if (!supplier) continue;
    tolerances.set(supplier.supplier_id, selectTolerance(toToleranceConfig(supplier.tolerance), globalTolerance));
  }
  return tolerances;
}

/** Lists the records of a kind page by page. Throws an OperatorError if the tenant or the company does not exist. */
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

/** Returns a user and its account by id (only digits), e-mail or username. Throws an OperatorError for an erased user. */
export async function getUser(directory: DirectorySnapshot, tenant: string, name: string): Promise<UserAndAccount> {
  const user = await getUserOrErasedUser(directory, tenant, name);
  const { erased_at: erasedAt } = user;
  if (erasedAt) throw new OperatorError(`User ${name} of ${tenant} was erased at ${erasedAt}, permanently.`);
  return { user, account: await directory.get(keysIn(tenant).account(user.user_id)) };
}

/** Returns a user, which can be erased, by id (only digits), e-mail or username. Throws an OperatorError if none exists. */
export async function getUserOrErasedUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  // No user has an empty id. For an unknown login name, getExisting throws the error of a missing tenant or user.
  return directory.getExisting(keys.user(login?.user_id ?? ''), name);
}
