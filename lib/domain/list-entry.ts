import type { DateRange } from './date-range.ts';
import type { InvoiceField } from './invoice-fields.ts';
import type { InvoiceRow } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import { LIMITS } from './limits.ts';

/** The entry of an invoice in lists and searches: `position` orders it, and searches look in the folded `text`. */
export interface ListEntry {
  readonly position: string;
  readonly state: StateCode;
  readonly text: string;
}

export function listEntryOf(invoice: InvoiceRow & { readonly sortDate: string }): ListEntry {
  return { position: positionOf(invoice), state: invoice.state, text: searchTextOf(invoice) };
}

/** Builds the position of an invoice in a list: date, then id. Positions are unique and sort as texts, oldest first. */
export function positionOf({ sortDate, invoiceId }: { readonly sortDate: string; readonly invoiceId: string }): string {
  const position = `${sortDate}#${invoiceId.padStart(LIMITS.idDigits, '0')}`;
  // 7 and 007 are two invoices.
  return invoiceId.startsWith('0') ? `${position}#${invoiceId}` : position;
}

export function idAt(position: string): string {
  const [, digits = '', id] = position.split('#');
  return id ?? digits.replace(/^0+/, '');
}

/** Returns bounds that enclose the positions of all invoices of a range of sort dates. */
export function positionsBetween({ startMs, endMs }: DateRange): { first: string; last: string } {
  // '$' comes after the '#' that follows every sort date in a position.
  return { first: `${new Date(startMs).toISOString()}#`, last: `${new Date(endMs).toISOString()}$` };
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** Converts an entry to one text; different entries have different texts. */
export function entryText({ position, state, text }: ListEntry): string {
  return `${position}\n${state}\n${text}`;
}

/** Removes case and accents, so that "cordoba" finds "Córdoba"; control characters become blanks. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .toLowerCase();
}

/** The fields in which a search does not look. A new field is either here or in the search text. */
type UnsearchedField =
  | ('invoice_date' | 'service_id' | 'service_call_date' | 'city' | 'system_amount' | 'declaration_id')
  | ('declared_amount' | 'declared_notes' | 'provider_invoice_date' | 'state_code' | 'state_name' | 'difference')
  | ('difference_pct' | 'attachment_url' | 'attachment_filename');

/** Returns the text in which a search looks: service number, account name, provider invoice number and id, folded. */
export function searchTextOf(invoice: InvoiceRow): string {
  const searched: Readonly<Record<Exclude<InvoiceField, UnsearchedField>, string | null>> = {
    service_number: invoice.serviceNumber,
    account_name: invoice.accountName,
    provider_invoice_number: invoice.providerInvoice.number,
    invoice_id: invoice.invoiceId,
  };
  return (
    Object.values(searched)
      .map((text) => foldText(text ?? ''))
      // A folded text contains no line feed, so a search finds nothing across two fields.
      .join('\n')
  );
}
