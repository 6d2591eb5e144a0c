import { findZeroVariants, stripZeros, toCompactId, type CompactId } from './leading-zeros.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

/**
 * Finds, for ids that a supplier does not have, stored ids that differ only in leading zeros. The result maps an id to
 * its stored variant: `80101` to `0080101`. Ids without a variant are omitted.
 */
export type FindZeroVariants = (
  scope: SupplierScope,
  newIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/**
 * Creates the search for one run of a command. All variants of an id except the shortest begin with a zero, and the id
 * is the sort key of an invoice, so a supplier's ids with leading zeros are one range, which is usually empty. It is
 * read once per supplier, when the supplier has a new id.
 */
export function createZeroVariantFinder({
  invoices,
  idsWithLeadingZeros,
}: Pick<AdminPorts, 'invoices' | 'idsWithLeadingZeros'>): FindZeroVariants {
  /** By supplier, its ids with leading zeros, without these zeros. */
  const digitsOfSupplier = new Map<string, Promise<ReadonlySet<CompactId>>>();

  async function readDigits(scope: SupplierScope): Promise<ReadonlySet<CompactId>> {
    const digits = new Set<CompactId>();
    for await (const ids of idsWithLeadingZeros(scope)) for (const id of ids) digits.add(toCompactId(stripZeros(id)));
    return digits;
  }

  return async (scope, newIds) => {
    if (newIds.length === 0) return new Map();
    const reading = digitsOfSupplier.get(scope.supplierId) ?? readDigits(scope);
    digitsOfSupplier.set(scope.supplierId, reading);
    const withZeros = await reading;
    const candidates = newIds.flatMap((id) => {
      const digits = stripZeros(id);
      if (withZeros.has(toCompactId(digits))) return findZeroVariants(id);
      return id === digits ? [] : [digits];
    });
    if (candidates.length === 0) return new Map();
    const stored = await invoices.getMany(scope, candidates);
    return new Map(
      newIds.flatMap((id): [string, string][] => {
        const variant = findZeroVariants(id).find((other) => stored.has(other));
        return variant === undefined ? [] : [[id, variant]];
      }),
    );
  };
}
