import type { FromSchema } from 'json-schema-to-ts';
import type { DeclareInvoiceInput } from '../contracts/declare-invoice.ts';
import type {
  amountCheckData,
  batchData,
  declarationData,
  invoiceDetailData,
  invoiceListData,
} from '../contracts/fields.ts';
import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import type { ValidateAmountInput } from '../contracts/validate-amount.ts';

// The service ignores properties that it does not know; here they are most likely misspelt.
type Known<Input> = { [Name in keyof Input as string extends Name ? never : Name]: Input[Name] };

/** Which invoices to list; dates are ISO 8601, without a zone UTC. */
export type InvoiceQuery = Known<ListInvoicesInput>;

/** What a supplier declares on an invoice. */
export type Declaration = Known<DeclareInvoiceInput>;

/** An amount to be checked against the tolerance. */
export type AmountToCheck = Known<ValidateAmountInput>;

/** `data` of a list. */
export type InvoiceList = FromSchema<typeof invoiceListData>;

/** An invoice in a list. */
export type InvoiceRow = InvoiceList['rows'][number];

/** Where a page of a list lies; `total` counts the rows of all pages. */
export interface PagePosition {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list. */
export type InvoicePage = InvoiceList & PagePosition;

/** An invoice with its concepts, and the tolerance that applies to it. */
export type InvoiceDetail = FromSchema<typeof invoiceDetailData>;

/** What declaring an amount would do. */
export type AmountCheck = FromSchema<typeof amountCheckData>;

/** What a declaration did. */
export type DeclarationResult = FromSchema<typeof declarationData>;

/** What became of each declaration of a batch, in their order. */
export type BatchResult = FromSchema<typeof batchData>;
