import type { User } from '../../domain/directory.ts';
import { type DirectoryState, placesIn } from '../directory/directory-state.ts';
import type { Entry, EntryOf, Rejection } from './directory-entries.ts';

/**
 * Rejects suppliers that would go to another company without the users who are linked to them. Of a user whom the
 * file names, too, its own entry decides. `usersOf` gives the users of a tenant, and is asked only if a supplier moves.
 */
export async function rejectMovingSuppliers(
  entries: readonly Entry[],
  state: DirectoryState,
  usersOf: (tenant: string) => Promise<readonly User[]>,
): Promise<Rejection[]> {
  const moving = entries.filter(
    (entry): entry is EntryOf<'supplier'> => entry.kind === 'supplier' && moves(entry, state),
  );
  const tenants = [...new Set(moving.map(({ tenant }) => tenant))];
  const users = new Map(await Promise.all(tenants.map(async (tenant) => [tenant, await usersOf(tenant)] as const)));
  const nameOf = (tenant: string, userId: string) => `${tenant}\n${userId}`;
  const named = new Set(
    entries.flatMap((entry) => (entry.kind === 'user' ? [nameOf(entry.tenant, entry.value.user_id)] : [])),
  );
  return moving.flatMap(({ path, tenant, value }) => {
    const left = (users.get(tenant) ?? []).filter(
      ({ userId, companyId, supplierId }) =>
        supplierId === value.supplier_id && companyId !== value.company_id && !named.has(nameOf(tenant, userId)),
    );
    if (left.length === 0) return [];
    const ids = left.map(({ userId }) => userId).join(', ');
    return [{ path, faults: [`${path}.company_id: users linked to it would stay in another company: ${ids}`] }];
  });
}

function moves({ tenant, value }: EntryOf<'supplier'>, state: DirectoryState): boolean {
  const stored = state.get(placesIn(tenant).supplier(value.supplier_id));
  return stored !== null && stored.company_id !== value.company_id;
}
