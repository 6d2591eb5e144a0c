import type { CONCEPT_FIELDS, ImportedProperties, PropertiesOf } from './invoice-fields.ts';
import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';
import type { OutcomeSnapshot } from './tolerance.ts';

/** The declaration that is valid now. Its id stays the same when the invoice is declared again. */
export interface CurrentDeclaration {
  readonly declarationId: string;
  readonly revision: number;
  readonly amount: Decimal;
  readonly notes: string | null;
  readonly taxPct: Decimal | null;
}

/** The number and date of the supplier's own invoice. */
export interface ProviderInvoice {
  readonly number: string | null;
  readonly date: string | null;
}

/** The fields of an invoice in a list. Dates are the received ISO 8601 texts. */
export interface InvoiceRow extends ImportedProperties {
  readonly invoiceId: string;
  readonly state: StateCode;
  readonly declaration: CurrentDeclaration | null;
  readonly providerInvoice: ProviderInvoice;
}

export type Concept = PropertiesOf<(typeof CONCEPT_FIELDS)[number]>;

/** An invoice with all its fields. */
export interface Invoice extends InvoiceRow {
  readonly concepts: readonly Concept[];
  /** The outcome of the declaration; null if there is none, if it was imported, or if version 1.0.0 stored it. */
  readonly declaredOutcome: OutcomeSnapshot | null;
  /**
   * True if declarations go to review without regard to the tolerance: an amount was declared on a rejected or adjusted
   * invoice, and the company has not changed the state since.
   */
  readonly requiresManualReview: boolean;
  /** The date that orders the invoice in lists: ISO 8601, UTC, with milliseconds. */
  readonly sortDate: string;
  /** A number that increases by one with every declaration and every change. */
  readonly version: number;
}

/** The supplier whose invoices a request can access, from the verified access snapshot. */
export interface SupplierScope {
  readonly tenant: string;
  readonly supplierId: string;
}
