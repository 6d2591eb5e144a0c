import type { DateRange } from './date-range.ts';
import type { InvoiceField } from './invoice-fields.ts';
import type { Invoice, InvoiceRow } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import { LIMITS } from './limits.ts';

/** The entry of an invoice in lists and searches. `position` is the sort key, and searches look in `text`. */
export interface ListEntry {
  readonly position: string;
  readonly state: StateCode;
  readonly text: string;
}

export function toListEntry(invoice: InvoiceRow & { readonly sortDate: string }): ListEntry {
  return { position: buildPosition(invoice), state: invoice.state, text: buildSearchText(invoice) };
}

/**
 * Builds the position of an invoice in a list, such as `2026-08-31T00:00:00.000Z#00000000000000009001`. Positions are
 * unique, and their order as texts is from the oldest to the newest invoice.
 */
export function buildPosition({ sortDate, invoiceId }: Pick<Invoice, 'sortDate' | 'invoiceId'>): string {
  const position = `${sortDate}#${invoiceId.padStart(LIMITS.idDigits, '0')}`;
  // The ids 7 and 007 are different invoices. Therefore an id with a leading 0 is appended.
  return invoiceId.startsWith('0') ? `${position}#${invoiceId}` : position;
}

export function toInvoiceId(position: string): string {
  const [_date, paddedId = '', idWithLeadingZero] = position.split('#');
  return idWithLeadingZero ?? paddedId.replace(/^0+/, '');
}

/** Builds bounds that enclose the positions of all invoices whose sort date is in a range. */
export function buildPositionBounds({ startMs, endMs }: DateRange): { first: string; last: string } {
  // '$' comes after the '#' that follows every sort date in a position.
  return { first: `${new Date(startMs).toISOString()}#`, last: `${new Date(endMs).toISOString()}$` };
}

/** Returns the month of an ISO 8601 date or of a position, such as `2026-08`. */
export function toMonth(date: string): string {
  return date.slice(0, 7);
}

/** Converts an entry to one text. Different entries have different texts. */
export function toEntryText({ position, state, text }: ListEntry): string {
  return `${position}\n${state}\n${text}`;
}

/** Removes case and accents, so that "cordoba" finds "Córdoba". Control characters become blanks. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .toLowerCase();
}

/** The fields in which a search does not look. A new field must be in this type or in the search text. */
type UnsearchedField =
  | ('invoice_date' | 'service_id' | 'service_call_date' | 'city' | 'system_amount' | 'declaration_id')
  | ('declared_amount' | 'declared_notes' | 'provider_invoice_date' | 'state_code' | 'state_name' | 'difference')
  | ('difference_pct' | 'attachment_url' | 'attachment_filename');

/** Builds the text in which a search looks: service number, account name, provider invoice number and id, folded. */
export function buildSearchText(invoice: InvoiceRow): string {
  const searchedFields: Readonly<Record<Exclude<InvoiceField, UnsearchedField>, string | null>> = {
    service_number: invoice.serviceNumber,
    account_name: invoice.accountName,
    provider_invoice_number: invoice.providerInvoice.number,
    invoice_id: invoice.invoiceId,
  };
  const foldedTexts = Object.values(searchedFields).map((text) => foldText(text ?? ''));
  // A folded text contains no line feed. Therefore a search finds no text that spans two fields.
  return foldedTexts.join('\n');
}
