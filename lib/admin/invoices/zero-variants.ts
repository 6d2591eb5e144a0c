import { findZeroVariants, stripZeros, toCompactId, type CompactId } from '../../domain/leading-zeros.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';

/**
 * Finds, for ids that a supplier does not have, stored ids that differ only in leading zeros. The result maps an id to
 * its stored variant: `80101` to `0080101`. Ids without a variant are omitted.
 */
export type FindZeroVariants = (
  scope: SupplierScope,
  newIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Up to this many new ids of a supplier, reading their variants (up to 19 each) costs less than reading the range. */
const FEW_IDS = 25;

/**
 * Creates the search for one run of a command. All variants of an id except the shortest begin with a zero, and the id
 * is the sort key of an invoice, so a supplier's ids with leading zeros are one range, which is usually empty. It is
 * read once per supplier, when the supplier has more than FEW_IDS new ids.
 */
export function createZeroVariantFinder({
  invoices,
  idsWithLeadingZeros,
}: Pick<AdminPorts, 'invoices' | 'idsWithLeadingZeros'>): FindZeroVariants {
  /** By supplier, the number of new ids that were looked up, and its ids with leading zeros, without these zeros. */
  const suppliers = new Map<string, { lookups: number; digits?: Promise<ReadonlySet<CompactId>> }>();

  async function readDigits(scope: SupplierScope): Promise<ReadonlySet<CompactId>> {
    const digits = new Set<CompactId>();
    for await (const ids of idsWithLeadingZeros(scope)) for (const id of ids) digits.add(toCompactId(stripZeros(id)));
    return digits;
  }

  return async (scope, newIds) => {
    const known = suppliers.get(scope.supplierId) ?? { lookups: 0 };
    suppliers.set(scope.supplierId, known);
    known.lookups += newIds.length;
    if (known.lookups > FEW_IDS) known.digits ??= readDigits(scope);
    const withZeros = await known.digits;
    const candidates = newIds.flatMap((id) => {
      const digits = stripZeros(id);
      if (!withZeros || withZeros.has(toCompactId(digits))) return findZeroVariants(id);
      return id === digits ? [] : [digits];
    });
    const stored = candidates.length > 0 ? await invoices.getMany(scope, candidates) : new Map();
    return new Map(
      newIds.flatMap((id): [string, string][] => {
        const variant = stored.size > 0 ? findZeroVariants(id).find((other) => stored.has(other)) : undefined;
        return variant === undefined ? [] : [[id, variant]];
      }),
    );
  };
}
