import type { Rules } from './rule.ts';
import { functions, integration, unit } from './suites.ts';

const listed = functions.list('answers the rows of the range, the tolerance and the page');
const foreignDetail = integration.detail(
  "is 404 NOT_FOUND, in the same words, for an absent invoice, another supplier's and another tenant's",
);

/** What the service does; its rule 4 is in legacy.ts, and rule 5 (other resource areas) is left out. */
export const service: Rules = {
  list: ['List invoices for a date range, with an optional state filter and free-text search', listed],
  detail: ['Open one invoice with its line-item concepts', functions.detail('opens the invoice %s')],
  declare: [
    'Declare the amount the supplier is billing, one invoice at a time or many at once',
    functions.declare('answers with the declaration, the resulting state and the tolerance outcome'),
    functions.batch('answers one entry per item in the submitted order, and the counts'),
  ],
  check: [
    'Check an amount against the company tolerance without writing anything',
    integration.validate('writes nothing but the rate counter'),
  ],
  'rule 1': [
    'A caller only sees and changes its own invoices',
    foreignDetail,
    integration.list("never shows another supplier's or another tenant's invoices"),
    integration.declare(
      "of an absent invoice, another supplier's or another tenant's is 404 NOT_FOUND and changes nothing",
    ),
    integration.batch('fails each item on its own account: good ones next to absent, foreign and settled ones'),
    integration.validate("is 404 NOT_FOUND, in the same words, for an absent invoice and another supplier's"),
  ],
  'rule 2': [
    '403 FORBIDDEN (message: This endpoint requires a supplier account.)',
    unit.supplier('is required, before its permission'),
    functions.everyProtected('requires a supplier account: %s'),
  ],
  'rule 3': [
    'configured per supplier or globally, or does not exist. The comparison yields a difference, a percentage difference, ...',
    unit.tolerance("is the supplier's own (proveedor) before the tenant's"),
    unit.tolerance("is the tenant's (global) when the supplier has none"),
    unit.tolerance('is none (ninguna), without automatic approval, when neither is configured'),
    unit.outcome('is the golden one for $name'),
  ],
};
