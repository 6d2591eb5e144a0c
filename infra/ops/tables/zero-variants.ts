import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';

/** Returns an id without its leading zeros. Of an id that contains only zeros, one zero remains. */
export function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

/**
 * Creates the search of one run of a command for stored ids that differ from missing ids only in leading zeros: `80101`
 * is mapped to the stored `0080101`, and an id without such a variant is omitted. The id is the sort key of an invoice,
 * so the supplier's ids with leading zeros are one range, which is usually empty. The range is read once for each
 * supplier, when the supplier has its first missing id.
 */
export function createZeroVariantFinder(
  getMany: (scope: SupplierScope, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
  readIdsWithLeadingZeros: (scope: SupplierScope) => AsyncIterable<readonly string[]>,
) {
  const paddedIdsBySupplier = new Map<string, ReadonlyMap<string, string>>();

  return async (scope: SupplierScope, missingIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const variants = new Map<string, string>();
    if (missingIds.length === 0) return variants;
    let paddedIds = paddedIdsBySupplier.get(scope.supplierId);
    if (!paddedIds) {
      const ids = await collectPages(readIdsWithLeadingZeros(scope));
      paddedIds = new Map(ids.map((id) => [stripZeros(id), id]));
      paddedIdsBySupplier.set(scope.supplierId, paddedIds);
    }
    const shortIds = missingIds.filter((id) => id.startsWith('0')).map(stripZeros);
    const storedShortIds = await getMany(scope, shortIds);
    for (const id of missingIds) {
      const shortId = stripZeros(id);
      const storedShortId = storedShortIds.has(shortId) ? shortId : undefined;
      const variant = paddedIds.get(shortId) ?? storedShortId;
      if (variant !== undefined && variant !== id) variants.set(id, variant);
    }
    return variants;
  };
}
