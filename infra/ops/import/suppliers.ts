import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { effectiveTolerance, type Tolerance } from '../../../lib/domain/tolerance.ts';
import { type DirectoryItems, readDirectoryItem } from '../../../lib/storage/directory-items.ts';
import { createDirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import { directoryKeys } from '../../../lib/storage/keys.ts';
import { UsageError } from '../usage-error.ts';

/** The tolerance of each of these distinct suppliers; one that the tenant does not have is left out. */
export type FindTolerances = (supplierIds: Iterable<string>) => Promise<ReadonlyMap<string, Tolerance>>;

/** Looks suppliers of a tenant up, each once in a run; throws a UsageError when there is no such tenant. */
export async function openTenant(
  client: DynamoDBDocumentClient,
  table: string,
  tenant: string,
): Promise<FindTolerances> {
  const { read } = createDirectoryWriter(client, table);
  const [tenantItem] = await read([directoryKeys.tenant(tenant)]);
  if (!tenantItem) throw new UsageError(`There is no tenant ${tenant}.`);
  const { tolerance: global } = readDirectoryItem.tenant(tenantItem as unknown as DirectoryItems['tenant']);

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
