// Made of the contracts of the service by `npm run openapi`: change it there.

/** Which invoices to list; dates are ISO 8601, without a zone UTC. */
export interface InvoiceQuery {
  /** Start of the range, ISO 8601 (a date: its first instant, UTC). */
  startdate: string;
  /** End of the range, ISO 8601 (a date: its last instant, UTC). */
  enddate: string;
  /** Invoice state code. */
  status?: 'PEN' | 'ENV' | 'APR' | 'REV' | 'REC' | 'AJU' | 'LIQ' | null;
  /** Text in service number, account name, provider invoice number or invoice id; at most 120 characters. */
  search?: string | null;
  /** Page size; from 1 to 100, by default 25. */
  limit?: number | null;
  /** Records to skip; by default 0. */
  offset?: number | null;
}

/** What a supplier declares on an invoice. */
export interface Declaration extends AmountToCheck {
  /** Free text; empty clears it; at most 2000 characters. */
  notes?: string | null;
  /** Supplier's own invoice number; empty clears it; at most 60 characters. */
  invoice_number?: string | null;
  /** Supplier's own invoice date, ISO 8601; empty clears it. */
  invoice_date?: string | null;
  /** Tax percentage; it cannot be cleared; from 0 to 100. */
  tax_pct?: number | null;
}

/** An amount to be checked against the tolerance. */
export interface AmountToCheck {
  /** Invoice identifier, digits only. */
  invoice_id: string;
  /** Amount, rounded half-up to 6 decimals; from 0 to 999999999999.99. */
  amount: number;
}

/** An invoice in a list. */
export interface InvoiceRow {
  /** Invoice identifier, digits only. */
  invoice_id: string;
  /** Invoice date-time, ISO 8601. */
  invoice_date: string | null;
  /** Related service or task id. */
  service_id: string;
  /** Service display number. */
  service_number: string | null;
  /** When the service was requested, ISO 8601. */
  service_call_date: string | null;
  /** Account the service belongs to. */
  account_name: string | null;
  /** Service city. */
  city: string | null;
  /** Amount calculated by the system. */
  system_amount: number;
  /** Set when the supplier has already declared an amount. */
  declaration_id: string | null;
  /** Amount declared by the supplier. */
  declared_amount: number | null;
  /** Notes on the declaration. */
  declared_notes: string | null;
  /** Supplier's own invoice number. */
  provider_invoice_number: string | null;
  /** Supplier's own invoice date, as it was sent. */
  provider_invoice_date: string | null;
  /** Invoice state code. */
  state_code: 'PEN' | 'ENV' | 'APR' | 'REV' | 'REC' | 'AJU' | 'LIQ';
  /** Invoice state name, in Spanish. */
  state_name: string;
  /** Declared minus system amount. */
  difference: number | null;
  /** Difference as a percentage of the system amount, 4 decimals. */
  difference_pct: number | null;
  /** URL of the attached invoice file. */
  attachment_url: string | null;
  /** Original file name of the attachment. */
  attachment_filename: string | null;
}

/** A line item of an invoice. */
export interface Concept {
  /** Concept catalog id. */
  concept_id: string;
  /** Concept description. */
  description: string;
  /** Amount per unit. */
  unit_amount: number;
  /** Quantity. */
  quantity: number;
  /** Tax percentage applied. */
  tax_pct: number;
  /** Line total. */
  total: number;
}

/** The tolerance that applies to a supplier. */
export interface Tolerance {
  /** PCT: percentage; ABS: absolute; AMB: both limits must hold; null: none applies. */
  mode: 'PCT' | 'ABS' | 'AMB' | null;
  /** Allowed percentage difference. */
  tolerance_pct: number | null;
  /** Allowed absolute difference. */
  tolerance_abs: number | null;
  /** Whether amounts within tolerance are approved automatically. */
  auto_approve: boolean;
  /** Where the tolerance comes from: the supplier, the tenant, or nowhere. */
  source: 'proveedor' | 'global' | 'ninguna';
}

/** The rows of a page, and the tolerance. */
export interface InvoiceList {
  /** The page, newest first. */
  rows: InvoiceRow[];
  tolerance: Tolerance;
}

/** Where a page of a list lies. */
export interface PagePosition {
  /** Records matching the query after filters, before paging. */
  total: number;
  /** Page size. */
  limit: number;
  /** Offset applied. */
  offset: number;
}

/** A page of a list. */
export interface InvoicePage extends InvoiceList, PagePosition {}

/** An invoice with its line items, and the tolerance that applies to it. */
export interface InvoiceDetail extends InvoiceRow {
  /** Line items. */
  concepts: Concept[];
  tolerance: Tolerance;
}

/** How an amount compares with the tolerance. */
export interface ToleranceOutcome {
  /** Whether the amount is within tolerance. */
  within_tolerance: boolean;
  /** Declared (or submitted) minus system amount. */
  difference: number;
  /** Difference as a percentage of the system amount, 4 decimals. */
  difference_pct: number;
  /** Absolute difference. */
  difference_abs: number;
  /** Resulting action; REVIEW once the company has rejected or adjusted the invoice. */
  action: 'AUTO_APPROVE' | 'REVIEW';
  /** Where the applied tolerance comes from: the supplier, the tenant, or nowhere. */
  config_source: 'proveedor' | 'global' | 'ninguna';
}

/** What declaring an amount would do. */
export interface AmountCheck extends ToleranceOutcome {
  /** Invoice checked. */
  invoice_id: string;
  /** Amount calculated by the system. */
  system_amount: number;
  /** The submitted amount. */
  declared_amount: number;
}

/** What a declaration did. */
export interface DeclarationResult {
  /** Declaration identifier; the same when the invoice is declared again. */
  declaration_id: string;
  /** Amount now declared. */
  declared_amount: number;
  /** Resulting state: 1 PEN, 2 ENV, 3 APR, 4 REV, 5 REC, 6 AJU, 7 LIQ. */
  state_id: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  tolerance: ToleranceOutcome;
}

/** A declaration of a batch that was accepted. */
export interface DeclaredItem extends DeclarationResult {
  /** Invoice of the item. */
  invoice_id: string;
  success: true;
}

/** A declaration of a batch that failed. */
export interface FailedItem {
  /** Invoice of the item. */
  invoice_id: string;
  success: false;
  error: {
    /** Machine-readable code. */
    code: 'NOT_FOUND' | 'VALIDATION_ERROR' | 'INTERNAL_ERROR';
    /** Human-readable text. */
    message: string;
  };
}

/** What became of each declaration of a batch, in their order. */
export interface BatchResult {
  /** One entry for each submitted item, in the submitted order. */
  results: (DeclaredItem | FailedItem)[];
  /** Items declared. */
  accepted: number;
  /** Items that failed. */
  rejected: number;
}

/** One invalid property, with a message for each constraint that it breaks. */
export interface PropertyFault {
  /** Where it stands, such as `declarations[3].amount`. */
  property: string;
  /** A message for each constraint that it breaks, by the name of the constraint. */
  constraints: Record<string, string>;
}

/** Every error code of the service. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_DATE_RANGE'
  | 'UNAUTHORIZED'
  | 'TOKEN_EXPIRED'
  | 'FORBIDDEN'
  | 'COMPANY_SUSPENDED'
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

/** The limits of the service on what is declared, to check a form or a file before it is sent. */
export const DECLARATION_LIMITS = {
  invoice_id: { pattern: '^[0-9]+$' },
  amount: { minimum: 0, maximum: 999999999999.99 },
  notes: { maxLength: 2000 },
  invoice_number: { maxLength: 60 },
  invoice_date: {},
  tax_pct: { minimum: 0, maximum: 100 },
  declarations: { minItems: 1, maxItems: 100 },
} as const;
