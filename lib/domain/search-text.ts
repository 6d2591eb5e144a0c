import type { InvoiceRow } from './invoice.ts';

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
