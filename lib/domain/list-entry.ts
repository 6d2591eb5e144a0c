import type { DateRange } from './date-range.ts';
import type { Invoice, InvoiceRow } from './invoice.ts';
import { LIMITS } from './limits.ts';

/**
 * Builds the position of an invoice in lists, such as `2026-08-31T00:00:00.000Z#00000000000000009001`. Each invoice has
 * a unique position. If positions are sorted as texts, the oldest invoice is first.
 */
export function buildPosition({ sortDate, invoiceId }: Pick<Invoice, 'sortDate' | 'invoiceId'>): string {
  const position = `${sortDate}#${invoiceId.padStart(LIMITS.idDigits, '0')}`;
  // The ids 7 and 007 identify different invoices. Therefore, an id with a leading zero is appended unchanged.
  return invoiceId.startsWith('0') ? `${position}#${invoiceId}` : position;
}

/** The first and the last of some positions. Both are included. */
export interface PositionBounds {
  readonly first: string;
  readonly last: string;
}

/** Builds the bounds of the positions of all invoices whose sort date is in a range. */
export function buildPositionBounds({ startMs, endMs }: DateRange): PositionBounds {
  // The character after '#' is '$'. Therefore, `last` is after every position with the last sort date.
  return { first: `${new Date(startMs).toISOString()}#`, last: `${new Date(endMs).toISOString()}$` };
}

/** Removes case, accents and other differences of spelling, so that `cordoba` finds `Córdoba` and `nº 5` finds `N° 5`. */
export function foldText(text: string): string {
  return (
    text
      // NFKD would convert an acute accent that is typed as an apostrophe, and a ring that is typed as º, to a blank.
      .replace(/´/gu, "'")
      .replace(/˚/gu, 'º')
      .normalize('NFKD')
      // Marks are accents. Format characters (Cf), such as the soft hyphen, are invisible.
      .replace(/[\p{M}\p{Cf}]/gu, '')
      .toLowerCase()
      .replace(LETTERS, (letter) => LETTER_FOLDS[letter] ?? letter)
      // NFKD converts the ordinal indicator º to the letter o. The degree sign is typed instead of it.
      .replace(/°/gu, 'o')
      .replace(/[‘’‛ʼʹ′\u0060]/gu, "'")
      .replace(/[‐-―−]/gu, '-')
      .replace(/[\s\p{Cc}]+/gu, ' ')
  );
}

/** The lower-case letters that Unicode does not decompose. The final sigma depends on the letters around it. */
const LETTER_FOLDS: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ß: 'ss', ς: 'σ' };
const LETTERS = new RegExp(`[${Object.keys(LETTER_FOLDS).join('')}]`, 'gu');

/** Builds the text that a search compares with: the folded texts of the searched fields. */
export function buildSearchText(invoice: InvoiceRow): string {
  const { serviceNumber, accountName, providerInvoice, invoiceId } = invoice;
  const searchedTexts = [serviceNumber, accountName, providerInvoice.number, invoiceId];
  const foldedTexts = searchedTexts.map((text) => foldText(text ?? ''));
  // A folded text contains no line feed. Therefore, a search never matches the end of a field and the start of the next.
  return foldedTexts.join('\n');
}

/** Parses the folded number of the supplier's own invoice, such as `a-0001`, in a search text; empty without a number. */
export function parseOwnNumber(searchText: string): string {
  const [_serviceNumber, _accountName, number = ''] = searchText.split('\n');
  return number.trim();
}
