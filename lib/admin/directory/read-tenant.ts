import type { Tenant } from '../../domain/directory.ts';
import type { Installation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { placesIn } from './directory-state.ts';
import { configuredTolerance } from './tolerance-record.ts';

/** A tenant; throws an OperatorError when there is none of this name. */
export async function readTenant({ records }: Pick<Installation, 'records'>, name: string): Promise<Tenant> {
  const [record] = await records.read([placesIn(name).tenant]);
  if (!record) throw new OperatorError(`There is no tenant ${name}.`);
  return { tenant: name, tolerance: configuredTolerance(record) };
}
