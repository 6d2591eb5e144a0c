import { findZeroVariants, stripZeros, toCompactId, type CompactId } from '../../domain/leading-zeros.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { inChunks } from '../../runtime/pages.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

/**
 * Finds, for ids that a supplier does not have, an invoice of the supplier whose id differs only in leading zeros. The
 * result contains the ids for which there is one, each with the other id.
 */
export type FindZeroVariants = (
  scope: SupplierScope,
  newIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** What is known of a supplier. */
interface KnownIds {
  asked: number;
  /** The ids with leading zeros, without these. */
  withZeros?: Promise<ReadonlySet<CompactId>>;
}

const MAX_READ = 100;
/** For so many new ids of a supplier, reading each variant (up to 19) costs less than reading the supplier's ids. */
const FEW_IDS = 25;

/**
 * Creates the search for a run. All variants of an id but the shortest one begin with a zero, and an invoice's id is its
 * sort key: so the ids with leading zeros of a supplier are one range, which is empty for most companies. The range is
 * read once per supplier, as soon as the supplier has more than a few new ids.
 */
export function createZeroVariantFinder({
  invoices,
  idsWithZeros,
}: Pick<AdminPorts, 'invoices' | 'idsWithZeros'>): FindZeroVariants {
  const suppliers = new Map<string, KnownIds>();

  async function readWithZeros(scope: SupplierScope): Promise<ReadonlySet<CompactId>> {
    const found = new Set<CompactId>();
    for await (const ids of idsWithZeros(scope)) for (const id of ids) found.add(toCompactId(stripZeros(id)));
    return found;
  }

  return async (scope, newIds) => {
    const known = suppliers.get(scope.supplierId) ?? { asked: 0 };
    suppliers.set(scope.supplierId, known);
    known.asked += newIds.length;
    if (known.asked > FEW_IDS) known.withZeros ??= readWithZeros(scope);
    const withZeros = await known.withZeros;

    const candidates = newIds.flatMap((id) => {
      const digits = stripZeros(id);
      if (!withZeros || withZeros.has(toCompactId(digits))) return findZeroVariants(id);
      return digits === id ? [] : [digits];
    });
    const chunks = inChunks([...new Set(candidates)], MAX_READ);
    const found = await Promise.all(chunks.map((ids) => invoices.getMany(scope, ids)));
    const stored = new Set(found.flatMap((some) => [...some.keys()]));
    if (stored.size === 0) return new Map();
    return new Map(
      newIds.flatMap((id): [string, string][] => {
        const variant = findZeroVariants(id).find((other) => stored.has(other));
        return variant === undefined ? [] : [[id, variant]];
      }),
    );
  };
}
