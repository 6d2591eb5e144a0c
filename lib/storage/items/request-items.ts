import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { newEntryNumber } from '../../runtime/ids.ts';
import type { Key } from '../dynamodb/key.ts';
import { fromInteger, type StoredNumber } from '../dynamodb/numbers.ts';
import { invoicePartition, requestPartition } from './keys.ts';

/** Which declarations a request wrote in one transaction. */
export interface RequestItem extends Key<StoredNumber> {
  /** What the partitions of their histories begin with. */
  readonly owner: string;
  /** Each as `<invoice id>#<revision>`. */
  readonly declarations: readonly string[];
}

/** The entries of a transaction for the requests that write these declarations; each has a new key. */
export function requestItems(
  scope: SupplierScope,
  revisions: readonly Pick<DeclarationRevision, 'requestId' | 'invoiceId' | 'revision'>[],
): RequestItem[] {
  return [...Map.groupBy(revisions, ({ requestId }) => requestId)].map(([requestId, written]) => ({
    pk: requestPartition(requestId),
    sk: fromInteger(newEntryNumber()),
    owner: invoicePartition(scope),
    declarations: written.map(({ invoiceId, revision }) => `${invoiceId}#${revision}`),
  }));
}

/** The keys of the declarations that an entry names. */
export function declarationKeys({ owner, declarations }: RequestItem): Key<number>[] {
  return declarations.map((declaration) => {
    const [invoiceId = '', revision] = declaration.split('#');
    return { pk: `${owner}#${invoiceId}`, sk: Number(revision) };
  });
}
