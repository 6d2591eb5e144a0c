import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';
import type { Notice } from './notice.ts';
import type { OutcomeSnapshot } from './tolerance.ts';

/** The latest declaration of an invoice. A further declaration has the same id and the next revision number. */
export interface CurrentDeclaration {
  readonly declarationId: string;
  readonly revision: number;
  readonly amount: Decimal;
  readonly notes: string | null;
  readonly taxPct: Decimal | null;
  /** The id of the user, or IMPORTER. */
  readonly declaredBy: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly declaredAt: string;
}

/** The number and date of the supplier's own invoice. */
export interface ProviderInvoice {
  readonly number: string | null;
  readonly date: string | null;
}

/** The fields of an invoice that only an import writes. Dates are ISO 8601 texts, exactly as they were received. */
export interface ImportedProperties {
  readonly invoiceDate: string | null;
  readonly serviceId: string;
  readonly serviceNumber: string | null;
  readonly serviceCallDate: string | null;
  readonly accountName: string | null;
  readonly city: string | null;
  readonly systemAmount: Decimal;
  readonly attachmentUrl: string | null;
  readonly attachmentFilename: string | null;
}

/** The fields of an invoice that lists contain. */
export interface InvoiceRow extends ImportedProperties {
  readonly invoiceId: string;
  readonly state: StateCode;
  readonly declaration: CurrentDeclaration | null;
  readonly providerInvoice: ProviderInvoice;
}

/** A line item of an invoice. */
export interface Concept {
  readonly conceptId: string;
  readonly description: string;
  readonly unitAmount: Decimal;
  readonly quantity: Decimal;
  readonly taxPct: Decimal;
  readonly total: Decimal;
}

export interface Invoice extends InvoiceRow {
  readonly concepts: readonly Concept[];
  /** The outcome of the declaration. Null without a declaration, or if an import declared the amount. */
  readonly declaredOutcome: OutcomeSnapshot | null;
  /**
   * True if every declaration goes to review, even of an amount within the tolerance. The reason is a declaration on a
   * rejected or adjusted invoice, whose state the company has not changed since.
   */
  readonly requiresManualReview: boolean;
  /** The message, approved amount and payment that the supplier sees. A declaration clears them. */
  readonly notice: Notice;
  /** The date by which lists are sorted, such as `2026-08-31T00:00:00.000Z`. */
  readonly sortDate: string;
  /** True if the company has withdrawn the invoice. Its supplier can neither list nor open it. */
  readonly isWithdrawn: boolean;
  /** The number of the latest change. Every change increases it by one. */
  readonly version: number;
  /** The time of the latest change (ISO 8601 UTC). It is later than the time of the previous change. */
  readonly changedAt: string;
  /** The id of the operators' command that created the invoice; null if a program without an id created it. */
  readonly createdBy: string | null;
}

/** The supplier whose invoices a request can access. */
export interface SupplierScope {
  readonly tenant: string;
  readonly supplierId: string;
}
