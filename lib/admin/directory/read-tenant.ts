import type { Tenant } from '../../domain/directory.ts';
import type { Installation } from '../installation.ts';
import { UsageError } from '../usage-error.ts';
import { placesIn } from './directory-state.ts';
import { configuredTolerance } from './tolerance-record.ts';

/** A tenant; throws a UsageError when there is none of this name. */
export async function readTenant({ records }: Pick<Installation, 'records'>, name: string): Promise<Tenant> {
  const [record] = await records.read([placesIn(name).tenant]);
  if (!record) throw new UsageError(`There is no tenant ${name}.`);
  return { tenant: name, tolerance: configuredTolerance(record) };
}
