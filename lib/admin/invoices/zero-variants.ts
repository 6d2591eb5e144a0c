import { findZeroVariants, stripZeros, toCompactId, type CompactId } from '../../domain/leading-zeros.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import type { IdRange } from '../../storage/invoices/invoice-table.ts';

/**
 * Finds, for ids that a supplier does not have, stored ids that differ only in leading zeros. The result maps an id to
 * its stored variant: `80101` to `0080101`. Ids without a variant are omitted.
 */
export type FindZeroVariants = (
  scope: SupplierScope,
  newIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** A range of a supplier's ids: the number of new ids that were looked up, and its ids without leading zeros. */
interface RangeState {
  lookups: number;
  digits?: Promise<ReadonlySet<CompactId>>;
}

/** Up to this many new ids of a supplier, reading their variants (up to 19 each) costs less than reading a range. */
const FEW_IDS = 25;

/**
 * Creates the search for one run of a command. All variants of an id except the shortest begin with a zero, and the id
 * is the sort key of an invoice, so a supplier's ids with leading zeros are one range, which is usually empty. It is
 * read once per supplier, when the supplier has more than FEW_IDS new ids. The shortest variant is in the range of the
 * other ids, which is read when more than FEW_IDS new ids begin with a zero.
 */
export function createZeroVariantFinder({
  invoices,
  invoiceIds,
}: Pick<AdminPorts, 'invoices' | 'invoiceIds'>): FindZeroVariants {
  const ranges = new Map<string, RangeState>();

  async function readDigits(scope: SupplierScope, range: IdRange): Promise<ReadonlySet<CompactId>> {
    const digits = new Set<CompactId>();
    for await (const ids of invoiceIds(scope, range)) for (const id of ids) digits.add(toCompactId(stripZeros(id)));
    return digits;
  }

  /** Returns a test that is true for digits that may be in a range. It is always true if the range was not read. */
  async function createRangeTest(scope: SupplierScope, range: IdRange, newIds: number) {
    const key = `${scope.supplierId} ${range}`;
    const known = ranges.get(key) ?? { lookups: 0 };
    ranges.set(key, known);
    known.lookups += newIds;
    if (known.lookups > FEW_IDS) known.digits ??= readDigits(scope, range);
    const all = await known.digits;
    return (digits: string) => !all || all.has(toCompactId(digits));
  }

  return async (scope, newIds) => {
    const beginsWithZero = (id: string) => id.startsWith('0');
    const [canHaveZeros, canHaveNoZeros] = await Promise.all([
      createRangeTest(scope, 'withZeros', newIds.length),
      createRangeTest(scope, 'withoutZeros', newIds.filter(beginsWithZero).length),
    ]);
    const candidates = newIds.flatMap((id) => {
      const digits = stripZeros(id);
      if (canHaveZeros(digits)) return findZeroVariants(id);
      return beginsWithZero(id) && canHaveNoZeros(digits) ? [digits] : [];
    });
    const stored = candidates.length > 0 ? await invoices.getMany(scope, candidates) : new Map();
    if (stored.size === 0) return new Map();
    return new Map(
      newIds.flatMap((id): [string, string][] => {
        const variant = findZeroVariants(id).find((other) => stored.has(other));
        return variant === undefined ? [] : [[id, variant]];
      }),
    );
  };
}
