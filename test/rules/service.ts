/**
 * What the service does; the resource areas of its rule 5 are out of scope. States: what follows from which is not shown
 * by the interface. Versioning.
 */
export const service = {
  'service/list': 'A supplier lists its invoices for a date range, with an optional state filter and free-text search',
  'service/detail': 'A supplier opens one invoice with its line-item concepts',
  'service/declare': 'A supplier declares the amount that it bills, one invoice at a time or many at once',
  'service/check': 'A supplier checks an amount against the company tolerance without writing anything',
  'service/rule-1': 'Every endpoint is scoped to the supplier behind the token: a caller sees and changes only its own',
  'service/rule-2':
    'A user who is linked to no supplier is rejected with 403 FORBIDDEN: This endpoint requires a supplier account.',
  'service/rule-3':
    'The tolerance is configured per supplier or globally, or does not exist; comparing yields difference, percentage, a flag and an action',
  'service/rule-4/route': 'POST /apidev/legacy/<WSName> exists for integrations of the legacy protocol',
  'service/rule-4/data': 'The legacy route reads and writes the same live data as the current interface',

  'states/PEN': 'PEN is accepted by the status filter and returned in state_code',
  'states/ENV':
    'ENV is accepted by the status filter and returned in state_code; its name is the Spanish word for sent',
  'states/APR': 'APR is accepted by the status filter and returned in state_code',
  'states/REV': 'REV is accepted by the status filter and returned in state_code',
  'states/REC': 'REC is accepted by the status filter and returned in state_code',
  'states/AJU': 'AJU is accepted by the status filter and returned in state_code',
  'states/LIQ': 'LIQ is accepted by the status filter and returned in state_code',
  'states/declaration': 'A declaration returns a state_id and an action (AUTO_APPROVE or REVIEW)',

  'versioning/current-path': 'The current interface lives under /apidev/v1/',
  'versioning/legacy-path': 'The compatibility surface lives under /apidev/legacy/',
  'versioning/entity-ids': 'An entity id that is not digits is rejected with 400 VALIDATION_ERROR, not 500',
};
