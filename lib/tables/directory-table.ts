import {
  type AccessSnapshot,
  type Entity,
  type LoginAccount,
  toEntity,
  type UserReference,
} from '../domain/directory.ts';
import { batchGet, createKeyLookup, type Key } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { toDecimals } from './dynamodb/values.ts';
import { directoryKeys } from './keys.ts';

/** Creates the repository of the table Directory. All reads are strongly consistent. Nothing is cached. */
export function createDirectoryTable(client: TableClient, table: string) {
  /** Reads items. Returns a function that finds one of these items by its key. */
  const readItems = async (keys: readonly Key[]) => createKeyLookup(await batchGet<Key>(client, table, keys));

  async function readRecord<Kind extends keyof typeof toEntity>(kind: Kind, key: Key): Promise<Entity<Kind> | null> {
    const findItem = await readItems([key]);
    return toRecord(kind, findItem(key));
  }

  return {
    /** Reads all records for the access check. One read is enough, unless the reference is out of date. */
    async readSnapshot(reference: UserReference, apiKeyHash: string | null): Promise<AccessSnapshot> {
      const { tenant, userId } = reference;
      const buildCompanyKey = (id: string) => directoryKeys.company(tenant, id);
      const buildSupplierKey = (id: string) => directoryKeys.supplier(tenant, id);
      const tenantKey = directoryKeys.tenant(tenant);
      const userKey = directoryKeys.user(tenant, userId);
      const apiKeyKey = apiKeyHash === null ? null : directoryKeys.apiKey(apiKeyHash);
      const expectedKeys = [tenantKey, userKey, buildCompanyKey(reference.companyId)];
      if (reference.supplierId) expectedKeys.push(buildSupplierKey(reference.supplierId));
      if (apiKeyKey) expectedKeys.push(apiKeyKey);
      const findExpected = await readItems(expectedKeys);
      const user = toRecord('user', findExpected(userKey));
      const apiKey = apiKeyKey && toRecord('api_key', findExpected(apiKeyKey));

      const userCompanyKey = user && buildCompanyKey(user.companyId);
      const keyCompanyKey = apiKey && apiKey.tenant === tenant ? buildCompanyKey(apiKey.companyId) : null;
      const supplierKey = user?.supplierId ? buildSupplierKey(user.supplierId) : null;
      const missingKeys = findMissingKeys([userCompanyKey, keyCompanyKey, supplierKey], expectedKeys);
      // `batchGet` sends no call for an empty list of keys.
      const findMissing = await readItems(missingKeys);
      const findItem = (key: Key | null) => (key ? (findExpected(key) ?? findMissing(key)) : undefined);

      const userCompany = toRecord('company', findItem(userCompanyKey));
      const supplier = toRecord('supplier', findItem(supplierKey));
      // A supplier usually belongs to the company of its user. For another company, one more read is necessary.
      const isOfOtherCompany = supplier !== null && supplier.companyId !== user?.companyId;
      const supplierCompany = isOfOtherCompany
        ? await readRecord('company', buildCompanyKey(supplier.companyId))
        : supplier && userCompany;
      return {
        tenant: toRecord('tenant', findExpected(tenantKey)),
        user,
        apiKey,
        userCompany,
        keyCompany: toRecord('company', findItem(keyCompanyKey)),
        supplier,
        supplierCompany,
      };
    },

    findApiKey: (hash: string) => readRecord('api_key', directoryKeys.apiKey(hash)),

    /** Finds the account of an e-mail or username. */
    async findLogin(tenant: string, loginName: string): Promise<LoginAccount> {
      const login = await readRecord('login', directoryKeys.login(tenant, loginName));
      return { tenant, loginName, user: login && { tenant, ...login } };
    },
  };
}

/** Finds the needed keys that were not expected, without duplicates: two companies can be the same. */
function findMissingKeys(neededKeys: readonly (Key | null)[], expectedKeys: readonly Key[]): Key[] {
  // The sort key identifies a company or supplier within its tenant.
  const expectedSortKeys = new Set(expectedKeys.map(({ sk }) => sk));
  const missingKeys = new Map<string, Key>();
  for (const key of neededKeys) {
    if (key && !expectedSortKeys.has(key.sk)) missingKeys.set(key.sk, key);
  }
  return [...missingKeys.values()];
}

/** Converts an item to an entity; null if there is no item. */
export function toRecord<Kind extends keyof typeof toEntity>(
  kind: Kind,
  item: object | undefined,
): Entity<Kind> | null {
  // The key of the item ensures that the item has this kind. The compiler cannot check this.
  const convert: (record: never) => object = toEntity[kind];
  return item ? (convert(toDecimals(item) as never) as Entity<Kind>) : null;
}
