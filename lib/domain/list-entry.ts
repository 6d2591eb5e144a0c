import type { DateRange } from './date-range.ts';
import type { InvoiceRow } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';

/** The most digits that an invoice id has. */
export const ID_DIGITS = 20;

/** What lists and searches go by of an invoice: `position` orders it, and `text` is what a search looks in, folded. */
export interface ListEntry {
  readonly position: string;
  readonly state: StateCode;
  readonly text: string;
}

/** The entry of an invoice in the lists. */
export function listEntryOf(invoice: InvoiceRow & { readonly sortDate: string }): ListEntry {
  return { position: positionOf(invoice), state: invoice.state, text: searchTextOf(invoice) };
}

/** Where an invoice stands in a list: by date, then by id. Positions sort as texts, oldest first, and no two are alike. */
export function positionOf({ sortDate, invoiceId }: { readonly sortDate: string; readonly invoiceId: string }): string {
  const position = `${sortDate}#${invoiceId.padStart(ID_DIGITS, '0')}`;
  // 7 and 007 are two invoices.
  return invoiceId.startsWith('0') ? `${position}#${invoiceId}` : position;
}

/** The id of the invoice at a position. */
export function idAt(position: string): string {
  const [, digits = '', id] = position.split('#');
  return id ?? digits.replace(/^0+/, '');
}

/** The positions between which all invoices of a range of sort dates stand. */
export function positionsBetween({ startMs, endMs }: DateRange): { first: string; last: string } {
  // '$' comes after the '#' that follows every sort date in a position.
  return { first: `${new Date(startMs).toISOString()}#`, last: `${new Date(endMs).toISOString()}$` };
}

/** The month (yyyy-mm) of a sort date or a position. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** An entry as one text; different entries have different ones. */
export function entryText({ position, state, text }: ListEntry): string {
  return `${position}\n${state}\n${text}`;
}

/** Folds case and accents away, so that "Córdoba" is found by "cordoba"; control characters become blanks. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .toLowerCase();
}

/** The text in which a search looks: service number, account name, provider invoice number and invoice id, folded. */
export function searchTextOf(invoice: InvoiceRow): string {
  return (
    [invoice.serviceNumber, invoice.accountName, invoice.providerInvoice.number, invoice.invoiceId]
      .map((text) => foldText(text ?? ''))
      // A folded text holds no line feed, so nothing is found across two fields.
      .join('\n')
  );
}
