import { findZeroVariants, stripZeros, toCompactId, type CompactId } from '../../domain/leading-zeros.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { inChunks } from '../../runtime/pages.ts';
import type { AdminPorts, IdRange } from '../ports/admin-ports.ts';

/**
 * Finds, for ids that a supplier does not have, an invoice of the supplier whose id differs only in leading zeros. The
 * result contains the ids for which there is one, each with the other id.
 */
export type FindZeroVariants = (
  scope: SupplierScope,
  newIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** A range of a supplier's ids: how many new ids may have variants in it, and its ids without their leading zeros. */
interface KnownRange {
  asked: number;
  digits?: Promise<ReadonlySet<CompactId>>;
}

const MAX_READ = 100;
/** For so many new ids of a supplier, reading their variants (up to 19 each) costs less than reading a range of ids. */
const FEW_IDS = 25;

/**
 * Creates the search for a run. All variants of an id but the shortest one begin with a zero, and an invoice's id is its
 * sort key: so the ids with leading zeros of a supplier are one range, which is empty for most companies. The range is
 * read once per supplier, as soon as the supplier has more than a few new ids. The shortest variant is in the range of
 * the other ids, which is read as soon as more than a few of the new ids begin with a zero.
 */
export function createZeroVariantFinder({
  invoices,
  invoiceIds,
}: Pick<AdminPorts, 'invoices' | 'invoiceIds'>): FindZeroVariants {
  const ranges = new Map<string, KnownRange>();

  async function readDigits(scope: SupplierScope, range: IdRange): Promise<ReadonlySet<CompactId>> {
    const digits = new Set<CompactId>();
    for await (const ids of invoiceIds(scope, range)) for (const id of ids) digits.add(toCompactId(stripZeros(id)));
    return digits;
  }

  /** Returns a test that is true for digits that may be in a range: of a range that was not read, all may be. */
  async function askRange(scope: SupplierScope, range: IdRange, newIds: number) {
    const key = `${scope.supplierId} ${range}`;
    const known = ranges.get(key) ?? { asked: 0 };
    ranges.set(key, known);
    known.asked += newIds;
    if (known.asked > FEW_IDS) known.digits ??= readDigits(scope, range);
    const all = await known.digits;
    return (digits: string) => !all || all.has(toCompactId(digits));
  }

  return async (scope, newIds) => {
    const beginsWithZero = (id: string) => id.startsWith('0');
    const [mayBeWithZeros, mayBeWithoutZeros] = await Promise.all([
      askRange(scope, 'withZeros', newIds.length),
      askRange(scope, 'withoutZeros', newIds.filter(beginsWithZero).length),
    ]);
    const candidates = newIds.flatMap((id) => {
      const digits = stripZeros(id);
      if (mayBeWithZeros(digits)) return findZeroVariants(id);
      return beginsWithZero(id) && mayBeWithoutZeros(digits) ? [digits] : [];
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
