import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';

// Integers of more digits are not exact as numbers.
const EXACT_DIGITS = 15;

/** Returns an id without its leading zeros; of an id that has only zeros, one remains. */
export function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

/** Returns all other ids that differ from an id only in leading zeros, the shortest first. */
export function findZeroVariants(id: string): string[] {
  const digits = stripZeros(id);
  const lengths = Array.from({ length: LIMITS.idDigits + 1 - digits.length }, (_, zeros) => digits.length + zeros);
  return lengths.map((length) => digits.padStart(length, '0')).filter((variant) => variant !== id);
}

/** A key of an id in a large collection: a number wherever it is exact, because numbers take less memory than texts. */
export type CompactId = number | string;

/** Converts an id to a key that is equal only for equal ids. */
export function toCompactId(id: string): CompactId {
  return id.length > EXACT_DIGITS || /^0\d/.test(id) ? id : Number(id);
}

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
