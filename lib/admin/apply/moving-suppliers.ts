import { itemsOf } from '../../runtime/pages.ts';
import { type DirectoryRecord, type DirectoryRecords, keysIn } from '../ports/directory-records.ts';
import type { DirectorySnapshot } from '../directory/snapshot.ts';
import type { Entry, Rejection } from './directory-entries.ts';

/**
 * Rejects suppliers that would go to another company without the users who are linked to them. Of a user whom the
 * file names, too, its own entry decides. The users of a tenant are read only if a supplier moves.
 */
export async function rejectMovingSuppliers(
  entries: readonly Entry[],
  directory: DirectorySnapshot,
  pages: DirectoryRecords['pages'],
): Promise<Rejection[]> {
  const named = new Set(entries.map(({ kind, tenant, value }) => kind === 'user' && `${tenant} ${value.user_id}`));
  const users = new Map<string, readonly DirectoryRecord<'user'>[]>();
  const rejections: Rejection[] = [];
  for (const { kind, path, tenant, value } of entries) {
    if (kind !== 'supplier') continue;
    const stored = await directory.get(keysIn(tenant).supplier(value.supplier_id));
    if (!stored || stored.company_id === value.company_id) continue;
    const linked = users.get(tenant) ?? (await itemsOf(pages('user', tenant)));
    users.set(tenant, linked);
    const left = linked.filter(
      ({ user_id: userId, company_id: companyId, supplier_id: supplierId }) =>
        supplierId === value.supplier_id && companyId !== value.company_id && !named.has(`${tenant} ${userId}`),
    );
    if (left.length === 0) continue;
    const ids = left.map(({ user_id: userId }) => userId).join(', ');
    rejections.push({ path, faults: [`${path}.company_id: users linked to it would stay in another company: ${ids}`] });
  }
  return rejections;
}
