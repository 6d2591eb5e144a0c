import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

/** Returns an id without its leading zeros; of an id that has only zeros, one remains. */
export function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

export type FindZeroVariants = ReturnType<typeof createZeroVariantFinder>;

/**
 * Creates the search for one run of a command. It finds, for ids that a supplier does not have, stored ids that differ
 * only in leading zeros: it maps `80101` to `0080101`, and omits ids without a variant. The id is the sort key of an
 * invoice, so a supplier's ids with leading zeros are one range, which is usually empty. The range is read once per
 * supplier, when the supplier has a new id.
 */
export function createZeroVariantFinder({
  invoices,
  idsWithLeadingZeros,
}: Pick<AdminPorts, 'idsWithLeadingZeros'> & { readonly invoices: Pick<AdminPorts['invoices'], 'getMany'> }) {
  const rangeOfSupplier = new Map<string, Promise<ReadonlyMap<string, string>>>();

  /** Reads the ids with leading zeros of a supplier, by the same ids without these zeros. */
  async function readRange(scope: SupplierScope): Promise<ReadonlyMap<string, string>> {
    const range = new Map<string, string>();
    for await (const ids of idsWithLeadingZeros(scope)) for (const id of ids) range.set(stripZeros(id), id);
    return range;
  }

  return async (scope: SupplierScope, newIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    if (newIds.length === 0) return new Map();
    const reading = rangeOfSupplier.get(scope.supplierId) ?? readRange(scope);
    rangeOfSupplier.set(scope.supplierId, reading);
    const range = await reading;
    const shortIds = newIds.map(stripZeros).filter((digits, index) => digits !== newIds[index] && !range.has(digits));
    const stored = await invoices.getMany(scope, shortIds);
    const variants = newIds.map((id) => {
      const digits = stripZeros(id);
      return [id, range.get(digits) ?? (stored.has(digits) ? digits : id)] as const;
    });
    return new Map(variants.filter(([id, variant]) => id !== variant));
  };
}
