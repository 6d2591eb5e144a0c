import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

/** Returns an id without its leading zeros; of an id that has only zeros, one remains. */
export function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

export type FindZeroVariants = ReturnType<typeof createZeroVariantFinder>;

/**
 * Creates the search for one run of a command. For each new id of a supplier, the search finds a stored id that differs
 * only in leading zeros: `80101` is mapped to `0080101`. Ids without a variant are omitted. The id is the sort key of
 * an invoice, so the ids with leading zeros of a supplier are one range, which is usually empty. The range is read once
 * per supplier, when the supplier has its first new id.
 */
export function createZeroVariantFinder({
  invoices,
}: {
  readonly invoices: Pick<AdminPorts['invoices'], 'getMany' | 'readIdsWithLeadingZeros'>;
}) {
  const ranges = new Map<string, ReadonlyMap<string, string>>();

  /** Reads the ids of a supplier that have leading zeros. The keys of the map are the ids without these zeros. */
  async function readRange(scope: SupplierScope): Promise<ReadonlyMap<string, string>> {
    const ids = await collectPages(invoices.readIdsWithLeadingZeros(scope));
    return new Map(ids.map((id) => [stripZeros(id), id]));
  }

  return async (scope: SupplierScope, newIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const variants = new Map<string, string>();
    if (newIds.length === 0) return variants;
    const range = ranges.get(scope.supplierId) ?? (await readRange(scope));
    ranges.set(scope.supplierId, range);
    const shortIds = newIds.filter((id) => id.startsWith('0')).map(stripZeros);
    const storedShortIds = await invoices.getMany(scope, shortIds);
    for (const id of newIds) {
      const variant = range.get(stripZeros(id)) ?? storedShortIds.get(stripZeros(id))?.invoiceId;
      if (variant !== undefined && variant !== id) variants.set(id, variant);
    }
    return variants;
  };
}
