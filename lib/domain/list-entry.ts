import type { DateRange } from './date-range.ts';
import type { InvoiceField } from './invoice-fields.ts';
import type { Invoice, InvoiceRow } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import { LIMITS } from './limits.ts';

/** The entry of an invoice in lists. Lists are sorted by `position`. Searches compare with `text`. */
export interface ListEntry {
  readonly position: string;
  readonly state: StateCode;
  readonly text: string;
}

export function toListEntry(invoice: InvoiceRow & { readonly sortDate: string }): ListEntry {
  return { position: buildPosition(invoice), state: invoice.state, text: buildSearchText(invoice) };
}

/**
 * Builds the position of an invoice in lists, such as `2026-08-31T00:00:00.000Z#00000000000000009001`. Each invoice has
 * a unique position. If positions are sorted as texts, the oldest invoice is first.
 */
export function buildPosition({ sortDate, invoiceId }: Pick<Invoice, 'sortDate' | 'invoiceId'>): string {
  const position = `${sortDate}#${invoiceId.padStart(LIMITS.idDigits, '0')}`;
  // The ids 7 and 007 identify different invoices. Therefore, an id with a leading zero is appended unchanged.
  return invoiceId.startsWith('0') ? `${position}#${invoiceId}` : position;
}

export function toInvoiceId(position: string): string {
  const [_date, paddedId = '', idWithLeadingZero] = position.split('#');
  return idWithLeadingZero ?? paddedId.replace(/^0+/, '');
}

/** Builds the bounds of the positions of all invoices whose sort date is in a range. */
export function buildPositionBounds({ startMs, endMs }: DateRange): { first: string; last: string } {
  // The character after '#' is '$'. Therefore, `last` is after every position with the last sort date.
  return { first: `${new Date(startMs).toISOString()}#`, last: `${new Date(endMs).toISOString()}$` };
}

/** Returns the month of an ISO 8601 date or of a position, such as `2026-08`. */
export function toMonth(date: string): string {
  return date.slice(0, 7);
}

/** Joins the values of an entry, for fingerprints and day indexes. Different entries have different texts. */
export function toEntryText({ position, state, text }: ListEntry): string {
  return `${position}\n${state}\n${text}`;
}

export function parseEntryText(entryText: string): ListEntry {
  // The searched text can contain line feeds.
  const [position = '', state, ...textLines] = entryText.split('\n');
  return { position, state: state as StateCode, text: textLines.join('\n') };
}

/** Removes case and accents, so that `cordoba` finds `Córdoba`. Converts control characters to spaces. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .toLowerCase();
}

/** The fields that are not searched. A new field compiles only if it is added here or to the search text. */
type UnsearchedField =
  | ('invoice_date' | 'service_id' | 'service_call_date' | 'city' | 'system_amount' | 'declaration_id')
  | ('declared_amount' | 'declared_notes' | 'provider_invoice_date' | 'state_code' | 'state_name' | 'difference')
  | ('difference_pct' | 'attachment_url' | 'attachment_filename');

/** Builds the text that a search compares with: the folded texts of the searched fields. */
export function buildSearchText(invoice: InvoiceRow): string {
  const searchedFields: Readonly<Record<Exclude<InvoiceField, UnsearchedField>, string | null>> = {
    service_number: invoice.serviceNumber,
    account_name: invoice.accountName,
    provider_invoice_number: invoice.providerInvoice.number,
    invoice_id: invoice.invoiceId,
  };
  const foldedTexts = Object.values(searchedFields).map((text) => foldText(text ?? ''));
  // Folded texts contain no line feed. Therefore, a search never matches the end of a field and the start of the next.
  return foldedTexts.join('\n');
}
