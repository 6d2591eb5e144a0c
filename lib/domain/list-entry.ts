import type { InvoiceRow } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import { searchTextOf } from './search-text.ts';

/** The most digits that an invoice id has. */
export const ID_DIGITS = 20;

/** What lists and searches go by of an invoice: `place` orders it, and `text` is what a search looks in, folded. */
export interface ListEntry {
  readonly place: string;
  readonly state: StateCode;
  readonly text: string;
}

/** The entry of an invoice in the lists. */
export function listEntryOf(invoice: InvoiceRow & { readonly sortDate: string }): ListEntry {
  return { place: placeOf(invoice), state: invoice.state, text: searchTextOf(invoice) };
}

/** Where an invoice stands in a list: by date, then by id. Places sort as texts, oldest first, and no two are alike. */
export function placeOf({ sortDate, invoiceId }: { readonly sortDate: string; readonly invoiceId: string }): string {
  const place = `${sortDate}#${invoiceId.padStart(ID_DIGITS, '0')}`;
  // 7 and 007 are two invoices.
  return invoiceId.startsWith('0') ? `${place}#${invoiceId}` : place;
}

/** The id of the invoice at a place. */
export function idInPlace(place: string): string {
  const [, digits = '', id] = place.split('#');
  return id ?? digits.replace(/^0+/, '');
}

/** The places between which all invoices of a range of sort dates (ISO 8601 UTC) stand. */
export function placesBetween(from: string, to: string): { first: string; last: string } {
  // '$' comes after the '#' that follows every sort date in a place.
  return { first: `${from}#`, last: `${to}$` };
}

/** The month (yyyy-mm) of a sort date or a place. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** An entry as one text; different entries have different ones. */
export function entryText({ place, state, text }: ListEntry): string {
  return `${place}\n${state}\n${text}`;
}
