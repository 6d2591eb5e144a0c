import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';
import type { OutcomeMark } from './tolerance.ts';

/** What the supplier has declared on an invoice, as it stands now; the first revision is 1. */
export interface CurrentDeclaration {
  readonly declarationId: string;
  readonly revision: number;
  readonly amount: Decimal;
  readonly notes: string | null;
  readonly taxPct: Decimal | null;
}

/** The supplier's own invoice for the service, as far as it is known: declared, or imported. */
export interface ProviderInvoice {
  readonly number: string | null;
  readonly date: string | null;
}

/** An invoice as a list shows it; dates are ISO 8601 as they were received. */
export interface InvoiceRow {
  readonly invoiceId: string;
  readonly invoiceDate: string | null;
  readonly serviceId: string;
  readonly serviceNumber: string | null;
  readonly serviceCallDate: string | null;
  readonly accountName: string | null;
  readonly city: string | null;
  readonly systemAmount: Decimal;
  readonly state: StateCode;
  readonly declaration: CurrentDeclaration | null;
  readonly providerInvoice: ProviderInvoice;
  readonly attachmentUrl: string | null;
  readonly attachmentFilename: string | null;
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

/**
 * A whole invoice. `sortDate` (ISO 8601 UTC, milliseconds) orders it in lists; `version` grows by one with every
 * declaration and every change.
 */
export interface Invoice extends InvoiceRow {
  readonly concepts: readonly Concept[];
  /**
   * How the declaration compared with the tolerance; null when there is no declaration, when an import made it, or when
   * it is older than this field.
   */
  readonly declaredOutcome: OutcomeMark | null;
  /**
   * Whether declarations go to review although the state does not say so: one was made on a rejected or adjusted
   * invoice, and the company has not moved it since.
   */
  readonly heldForReview: boolean;
  readonly sortDate: string;
  readonly version: number;
}

/** The account whose invoices a request may see: always taken from the verified access snapshot. */
export interface SupplierScope {
  readonly tenant: string;
  readonly supplierId: string;
}
