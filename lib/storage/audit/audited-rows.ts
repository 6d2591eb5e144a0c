import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { positionOf } from '../../domain/list-entry.ts';
import { type Fingerprint, fingerprintOf } from '../../runtime/fingerprints.ts';
import type { Key } from '../dynamodb/key.ts';
import { toDecimal } from '../dynamodb/numbers.ts';
import type { InvoiceRowItem } from '../items/invoice-row-items.ts';
import { positionOfRow, rowPrefix } from '../items/keys.ts';

/** A row as an audit compares it: by a fingerprint of its key and of everything that it holds. */
export interface AuditedRow {
  readonly key: Key;
  readonly invoiceId: string;
  /** The day (yyyy-mm-dd) of its partition in whose lists it stands. */
  readonly day: string;
  readonly fingerprint: Fingerprint;
}

/** How a row is called for people: the list in which it stands (`all`, or a state), and its sort date. */
export interface RowName {
  readonly list: string;
  readonly date: string;
}

/** Reduces a row to what an audit compares; it is in the partition of this month (yyyy-mm). */
export function toAudited(item: InvoiceRowItem, month: string): AuditedRow {
  return {
    key: { pk: item.pk, sk: item.sk },
    invoiceId: invoiceOfRow(item),
    day: `${month}-${positionOfRow(item.sk).slice(8, 10)}`,
    fingerprint: fingerprintOf(contentOf(item)),
  };
}

/** The id of the invoice to which a row belongs by its key. */
export function invoiceOfRow({ sk, invoice_id: claimed }: Pick<InvoiceRowItem, 'sk' | 'invoice_id'>): string {
  const place = positionOfRow(sk);
  const [sortDate = '', digits = '', withZeros] = place.split('#');
  // What the row says counts only if the key agrees: it may be what is wrong.
  if (typeof claimed === 'string' && positionOf({ sortDate, invoiceId: claimed }) === place) return claimed;
  return withZeros || digits.replace(/^0+(?=.)/, '') || '0';
}

/** Everything that a row holds, as one text; the order of the attributes does not matter. */
export function contentOf(item: object): string {
  return JSON.stringify(
    Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    (_, value) => (value instanceof NumberValue ? { digits: toDecimal(value).toFixed() } : value),
  );
}

/** Names a row by its sort key. */
export function nameOfRow(sortKey: string): RowName {
  const list = sortKey.startsWith(rowPrefix(null)) ? 'all' : (sortKey.split('#')[1] ?? '');
  return { list, date: positionOfRow(sortKey).split('#')[0] ?? '' };
}
