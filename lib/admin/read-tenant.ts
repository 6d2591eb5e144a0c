import type { Tenant } from '../domain/directory.ts';
import { type DirectoryItems, readDirectoryItem } from '../storage/directory-items.ts';
import { createDirectoryWriter } from '../storage/directory-writer.ts';
import { directoryKeys } from '../storage/keys.ts';
import type { DataTarget } from './data-target.ts';
import { UsageError } from './usage-error.ts';

/** A tenant; throws a UsageError when there is none of this name. */
export async function readTenant({ client, tables }: DataTarget, name: string): Promise<Tenant> {
  const [item] = await createDirectoryWriter(client, tables.Directory).read([directoryKeys.tenant(name)]);
  if (!item) throw new UsageError(`There is no tenant ${name}.`);
  return readDirectoryItem.tenant(item as unknown as DirectoryItems['tenant']);
}
