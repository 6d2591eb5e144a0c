import type { Rules } from './rule.ts';
import { e2e, functions, infra, integration, unit } from './suites.ts';

const statuses = unit.codes('are exactly these ten, each with its HTTP status');
const error = unit.envelope('of an error holds code and message and no data');
const details = unit.envelope('of a validation error holds the details');
const everyFault = unit.details('name every invalid property at once, each with a message');
const batchAlone = integration.batch(
  'fails each item on its own account: good ones next to absent, foreign and settled ones',
);

/** Errors; the guidance on retries is for clients, and is left out. */
export const errors: Rules = {
  'Envelope/no data': ['No data content is returned on errors', error],
  'Envelope/success': ['Always false', error],
  'Envelope/error.code': ['Machine-readable code', error, infra.gatewayEnvelope],
  'Envelope/error.message': ['Human-readable text', error, infra.gatewayEnvelope],
  'Envelope/error.details': [
    'one entry per invalid property, with property (string) and constraints (map of constraint name to message text)',
    details,
    everyFault,
    unit.details('gather all constraints that one property breaks'),
  ],
  'Envelope/always details': [
    'Every validation failure returns VALIDATION_ERROR with details filled in',
    everyFault,
    unit.details('name every missing property'),
    functions.declare('names every invalid field at once'),
    functions.list('names every invalid parameter at once'),
    unit.body('must be valid JSON, unlike %j'),
  ],

  'Codes/VALIDATION_ERROR': [
    '400: Missing required field, wrong type, value out of range, or a non-digit entity id',
    statuses,
    functions.list('rejects %s that breaks %s: %j'),
    functions.declare('rejects %s that breaks %s: %j'),
  ],
  'Codes/INVALID_DATE_RANGE': [
    '400: Range above the endpoint maximum, end before start, or a date not in ISO format',
    statuses,
    functions.list('answers 400 INVALID_DATE_RANGE when the range %s'),
  ],
  'Codes/UNAUTHORIZED': [
    '401: Missing or invalid JWT, API key, tenant header or credentials; tenant mismatch; ...',
    statuses,
    functions.everyProtected('requires an access token: %s'),
    functions.everyProtected('requires a valid API key: %s'),
    functions.everyProtected('requires an active user: %s'),
    functions.every('requires the tenant header: %s'),
    integration.token('is UNAUTHORIZED: %s'),
  ],
  'Codes/TOKEN_EXPIRED': [
    '401: JWT valid but past its 1-hour lifetime',
    statuses,
    integration.token('lives for one hour; then it is TOKEN_EXPIRED, with the message to log in anew'),
  ],
  'Codes/FORBIDDEN': [
    '403: Non-supplier account on supplier endpoints, or a missing permission',
    statuses,
    integration.change('one permission is removed: only the endpoints that need it are FORBIDDEN'),
  ],
  'Codes/COMPANY_SUSPENDED': [
    '403: The company account is suspended',
    statuses,
    functions.everyProtected('is closed to a suspended company: %s'),
  ],
  'Codes/NOT_FOUND': [
    '404: Resource id does not exist or does not belong to the supplier; or a wrong URL path',
    statuses,
    integration.detail(
      "is 404 NOT_FOUND, in the same words, for an absent invoice, another supplier's and another tenant's",
    ),
    e2e.wrongPath,
  ],
  'Codes/RATE_LIMITED': [
    '429: Retry-After gives the wait in seconds',
    statuses,
    integration.rateLimit('tells limit, remaining, reset and, when refused only, the seconds to wait'),
  ],
  'Codes/INTERNAL_ERROR': [
    '500: Unexpected server failure',
    statuses,
    unit.failure('is an INTERNAL_ERROR whose cause only the log sees'),
    integration.failure('when %s cannot read the invoices'),
  ],
  'Codes/SERVICE_UNAVAILABLE': [
    '503: The user could not be verified at that moment',
    statuses,
    integration.unavailable('when the user cannot be verified (%s)'),
  ],

  'rule 1': [
    'a numeric string holding digits only. A non-digit value gives 400 VALIDATION_ERROR, with the property named',
    functions.detail('rejects the id %j, which is not digits only'),
    functions.declare('rejects %s that breaks %s: %j'),
    functions.batch('rejects an item whose %s breaks %s: %j'),
    functions.validate('rejects %s that breaks %s: %j'),
  ],
  'rule 2': [
    'Fields that are not entity ids accept text: ... free-text search, enum options',
    functions.list('accepts the search %j'),
    functions.list('accepts the status %s'),
  ],
  'rule 3': [
    'Every response carries an X-Request-Id header: server-generated. The client does not send it',
    unit.headers('are the content type, no-store, the request id and the rate on a success'),
    unit.headers('are the same on an error'),
    infra.gatewayResponse,
    e2e.requestId,
  ],
  'rule 5': ['a per-item failure is reported inside results and the HTTP status stays 200', batchAlone],
};
