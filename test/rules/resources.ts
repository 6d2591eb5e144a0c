import { type Rules, suite } from './rule.ts';
import { functions, integration, unit } from './suites.ts';

const detail = integration.detail('holds all row fields, the concepts and the tolerance');
const nulls = integration.detail('answers null for every optional field that has no value');
const list = functions.list('answers the rows of the range, the tolerance and the page');
const emptyList = functions.list('answers a range without invoices with success, no rows and total 0');
const filtered = integration.list('filters by status %s before it pages and counts');
const pageBounds = functions.list('accepts %s at its bound %i and reports it in meta');
const declared = functions.declare('answers with the declaration, the resulting state and the tolerance outcome');
const reviewed = functions.declare('leaves an amount beyond the tolerance to review, state 4');
const batch = functions.batch('answers one entry per item in the submitted order, and the counts');
const checked = functions.validate('answers with the two amounts and the outcome that declaring would have');
const success = unit.envelope('of a success holds data and an empty meta');
const listMeta = unit.envelope('of a list holds its meta');
const error = unit.envelope('of an error holds code and message and no data');
const vectors = unit.outcome('is the golden one for $name');
const exact = suite('property/tolerance', 'tolerance outcome')('agrees with an independent exact implementation');
const sources = [
  unit.tolerance("is the supplier's own (proveedor) before the tenant's"),
  unit.tolerance("is the tenant's (global) when the supplier has none"),
  unit.tolerance('is none (ninguna), without automatic approval, when neither is configured'),
];

/** Resources and their fields. */
export const resources: Rules = {
  'Response envelope/success': ['true on success, false on error', success, error],
  'Response envelope/data, single and write': ['return an object', detail, declared, batch, checked],
  'Response envelope/data, list': ['returns an object holding rows and tolerance', list],
  'Response envelope/data, error': ['On an error it is absent or null', error],
  'Response envelope/meta, list': ['total, limit, offset', list, listMeta],
  'Response envelope/meta, single and write': ['an empty object', success, detail, declared, batch, checked],
  'Response envelope/error': ['Only on errors', success, error],
  'meta/total': ['Records matching the query after filters, before paging', list, filtered],
  'meta/limit': ['Page size', list, pageBounds],
  'meta/offset': ['Offset applied', list, pageBounds],
  'meta/empty result': ['a success with an empty list and total 0', emptyList],

  'Invoice row/invoice_id': ['string: Invoice identifier (digits only)', detail, list],
  'Invoice row/invoice_date': ['string or null: Invoice date-time', detail, nulls],
  'Invoice row/service_id': ['string: Related service/task id', detail],
  'Invoice row/service_number': ['string or null: Service display number', detail, nulls],
  'Invoice row/service_call_date': ['string or null: When the service was requested', detail, nulls],
  'Invoice row/account_name': ['string or null: Account the service belongs to', detail, nulls],
  'Invoice row/city': ['string or null: Service city', detail, nulls],
  'Invoice row/system_amount': ['number: Amount calculated by the system', detail],
  'Invoice row/declaration_id': ['string or null: Set when the supplier has already declared an amount', detail, nulls],
  'Invoice row/declared_amount': ['number or null: Amount declared by the supplier', detail, nulls],
  'Invoice row/declared_notes': ['string or null: Notes on the declaration', detail, nulls],
  'Invoice row/provider_invoice_number': ["string or null: Supplier's own invoice number", detail, nulls],
  'Invoice row/provider_invoice_date': ["string or null: Supplier's own invoice date", detail, nulls],
  'Invoice row/state_code': ['string: Invoice state code', detail, list],
  'Invoice row/state_name': ['string: Invoice state name', detail, list],
  'Invoice row/difference': ['number or null: Declared minus system amount', detail, nulls],
  'Invoice row/difference_pct': ['number or null: Difference as a percentage of the system amount', detail, nulls],
  'Invoice row/attachment_url': ['string or null: URL of the attached invoice file', detail, nulls],
  'Invoice row/attachment_filename': ['string or null: Original file name of the attachment', detail, nulls],

  'Concept/concept_id': ['string: Concept catalog id', detail],
  'Concept/description': ['string: Concept description', detail],
  'Concept/unit_amount': ['number: Amount per unit', detail],
  'Concept/quantity': ['number: Quantity', detail],
  'Concept/tax_pct': ['number: Tax percentage applied', detail],
  'Concept/total': ['number: Line total', detail],

  'Tolerance/mode': ['PCT, ABS, AMB, or null when none applies', detail, list, vectors],
  'Tolerance/tolerance_pct': ['number or null: Allowed percentage difference', detail, list],
  'Tolerance/tolerance_abs': ['number or null: Allowed absolute difference', detail, list],
  'Tolerance/auto_approve': ['Whether amounts within tolerance are approved automatically', detail, list, vectors],
  'Tolerance/source': ['Where the tolerance comes from: proveedor, global, or ninguna', ...sources, detail, list],

  'Declaration result/declaration_id': ['string: Declaration identifier', declared, batch],
  'Declaration result/declared_amount': ['number: Amount now declared', declared, batch],
  'Declaration result/state_id': ['integer: Resulting state identifier', declared, reviewed, batch],
  'Declaration result/tolerance': ['object: Tolerance outcome', declared, reviewed, batch],

  'Tolerance outcome/within_tolerance': ['Whether the amount is within tolerance', declared, batch, checked, vectors],
  'Tolerance outcome/difference': ['Declared (or submitted) minus system amount', reviewed, checked, vectors, exact],
  'Tolerance outcome/difference_pct': ['as a percentage of the system amount', reviewed, checked, vectors, exact],
  'Tolerance outcome/difference_abs': ['Absolute difference', reviewed, checked, vectors, exact],
  'Tolerance outcome/action': ['Values that occur: AUTO_APPROVE, REVIEW', declared, reviewed, checked, vectors],
  'Tolerance outcome/config_source': ['Where the applied tolerance comes from', declared, batch, checked],
};
