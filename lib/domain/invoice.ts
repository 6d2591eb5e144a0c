import type { CONCEPT_FIELDS, ImportedProperties, PropertiesOf } from './invoice-fields.ts';
import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';
import type { OutcomeSnapshot } from './tolerance.ts';

export interface CurrentDeclaration {
  readonly declarationId: string;
  readonly revision: number;
  readonly amount: Decimal;
  readonly notes: string | null;
  readonly taxPct: Decimal | null;
}

export interface ProviderInvoice {
  readonly number: string | null;
  readonly date: string | null;
}

/** The fields of an invoice that lists show; dates are the received ISO 8601 texts. */
export interface InvoiceRow extends ImportedProperties {
  readonly invoiceId: string;
  readonly state: StateCode;
  readonly declaration: CurrentDeclaration | null;
  readonly providerInvoice: ProviderInvoice;
}

export type Concept = PropertiesOf<(typeof CONCEPT_FIELDS)[number]>;

/**
 * A whole invoice. `sortDate` (ISO 8601 UTC, milliseconds) orders it in lists; `version` grows by one with every
 * declaration and every change.
 */
export interface Invoice extends InvoiceRow {
  readonly concepts: readonly Concept[];
  /** The outcome of the declaration; null without a declaration, for an imported one, and for one of version 1.0.0. */
  readonly declaredOutcome: OutcomeSnapshot | null;
  /**
   * True if declarations go to review without regard to the tolerance: one was made on a rejected or adjusted invoice,
   * and the company has not changed the state since.
   */
  readonly requiresManualReview: boolean;
  readonly sortDate: string;
  readonly version: number;
}

/** The supplier whose invoices a request can access, from the verified access snapshot. */
export interface SupplierScope {
  readonly tenant: string;
  readonly supplierId: string;
}
