import type { StateCode } from '../../domain/invoice-states.ts';
import type { CurrentDeclaration, Invoice, InvoiceRow, ProviderInvoice, SupplierScope } from '../../domain/invoice.ts';
import { type ListEntry, positionOf, searchTextOf } from '../../domain/list-entry.ts';
import type { InvoiceChange } from '../../services/transactions.ts';
import type { Key } from '../dynamodb/key.ts';
import { positionOfRow, rowKey } from './keys.ts';
import { type Attributes, DECIMAL, INTEGER, storedFields, withoutNulls } from './stored-fields.ts';

/** What a declaration sets, the same on the invoice and in its history. */
export const declaredFields = storedFields<CurrentDeclaration>({
  declarationId: 'declaration_id',
  revision: ['declaration_revision', INTEGER],
  amount: ['declared_amount', DECIMAL],
  notes: 'declared_notes',
  taxPct: ['declared_tax_pct', DECIMAL],
});

/** The supplier's own invoice, the same on the invoice and in its declaration history. */
export const providerInvoiceFields = storedFields<ProviderInvoice>({
  number: 'provider_invoice_number',
  date: 'provider_invoice_date',
});

const listedFields = storedFields<Omit<InvoiceRow, 'invoiceId' | 'declaration' | 'providerInvoice'>>({
  invoiceDate: 'invoice_date',
  serviceId: 'service_id',
  serviceNumber: 'service_number',
  serviceCallDate: 'service_call_date',
  accountName: 'account_name',
  city: 'city',
  systemAmount: ['system_amount', DECIMAL],
  state: 'state_code',
  attachmentUrl: 'attachment_url',
  attachmentFilename: 'attachment_filename',
});

/** An invoice in a list, as it is stored: an item of its own, so that a page of a list is read in one go. */
export interface InvoiceRowItem extends Key, Attributes {
  readonly invoice_id: string;
  readonly state_code: StateCode;
  readonly search_text: string;
}

/** The stored rows of an invoice: one in the list of all invoices, and one in the list of its state. */
export function rowsOf(scope: SupplierScope, invoice: Invoice): [inAll: InvoiceRowItem, inState: InvoiceRowItem] {
  const attributes = {
    ...fromListed(invoice),
    invoice_id: invoice.invoiceId,
    state_code: invoice.state,
    search_text: searchTextOf(invoice),
  };
  const [inAll, inState] = rowKeysOf(scope, invoice);
  return [
    { ...inAll, ...attributes },
    { ...inState, ...attributes },
  ];
}

/** The keys of the rows of an invoice. */
export function rowKeysOf(scope: SupplierScope, invoice: Invoice): [inAll: Key, inState: Key] {
  const position = positionOf(invoice);
  return [rowKey(scope, position, null), rowKey(scope, position, invoice.state)];
}

/** The keys of the rows that an invoice no longer has after a change; `before` is null when it is new. */
export function rowsLeft(scope: SupplierScope, { before, after }: Pick<InvoiceChange, 'before' | 'after'>): Key[] {
  if (!before) return [];
  const kept = new Set(rowKeysOf(scope, after).map(({ sk }) => sk));
  return rowKeysOf(scope, before).filter(({ sk }) => !kept.has(sk));
}

/** What a list shows of an invoice, as it is stored on the invoice and on its rows; what is not known is absent. */
export function fromListed(row: InvoiceRow): Attributes {
  return withoutNulls({
    ...listedFields.write(row),
    ...(row.declaration && declaredFields.write(row.declaration)),
    ...providerInvoiceFields.write(row.providerInvoice),
  });
}

/** Reads what lists and searches go by of a row. */
export function toEntry(item: Pick<InvoiceRowItem, 'sk' | 'state_code' | 'search_text'>): ListEntry {
  return { position: positionOfRow(item.sk), state: item.state_code, text: item.search_text };
}

/** Reads what a list shows of an invoice. */
export function toListed(invoiceId: string, item: Attributes): InvoiceRow {
  return {
    invoiceId,
    ...listedFields.read(item),
    declaration: 'declaration_id' in item ? declaredFields.read(item) : null,
    providerInvoice: providerInvoiceFields.read(item),
  };
}
