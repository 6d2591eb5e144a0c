import type { Rules } from './rule.ts';
import { functions, infra, integration, unit } from './suites.ts';

const permission = functions.everyProtected('requires its permission: %s, %s');
const parallel = integration.rateLimit(
  'lets exactly 30 of 40 parallel reads and exactly 10 of 40 parallel writes pass',
);
const sliding = integration.rateLimit('slides: 30 reads at 0 s, refused at 59.9 s, allowed at 60 s');
const requestId = unit.headers('are the content type, no-store, the request id and the rate on a success');

const loginField = functions.login('rejects %s that breaks %s: %j');
const loggedIn = functions.login('answers right credentials with the access token in data.authorization');
const listField = functions.list('rejects %s that breaks %s: %j');
const listNeeds = functions.list('needs %s');
const listRange = functions.list('answers 400 INVALID_DATE_RANGE when the range %s');
const listBound = functions.list('accepts %s at its bound %i and reports it in meta');
const listed = functions.list('answers the rows of the range, the tolerance and the page');
const checkField = functions.validate('rejects %s that breaks %s: %j');

/** What is common to the endpoints, and those that declare nothing; the legacy route is in legacy.ts. */
export const endpoints: Rules = {
  'common/Authorization': ['Bearer <ACCESS_TOKEN>', functions.everyProtected('requires an access token: %s')],
  'common/X-API-Key': [
    '<API_KEY>',
    functions.everyProtected('requires a valid API key: %s'),
    integration.apiKey('that is missing, unknown, or issued in another tenant is UNAUTHORIZED'),
  ],
  'common/tenant': ['assigned tenant domain', functions.every('requires the tenant header: %s')],
  'common/Content-Type': [
    'is required on POST and PUT',
    functions.login('needs the Content-Type application/json'),
    functions.declare('needs the Content-Type application/json'),
    functions.batch('needs the Content-Type application/json'),
    functions.validate('needs the Content-Type application/json'),
  ],
  'common/X-Request-Id': ['Each response carries an X-Request-Id header', requestId, infra.gatewayResponse],

  'login/no token': ['No token needed', loggedIn],
  'login/tenant': [
    'tenant (required)',
    functions.every('requires the tenant header: %s'),
    integration.login('needs the tenant header'),
  ],
  'login/Content-Type': [
    'Content-Type application/json (required)',
    functions.login('needs the Content-Type application/json'),
  ],
  'login/email': ["string, required: User's e-mail", loginField, loggedIn],
  'login/password': ["string, required: User's password", loginField, loggedIn],
  'login/playerid': [
    'string, optional: player id to register for the user, max 200 characters',
    loginField,
    functions.login('accepts a playerid of 200 characters, and an empty one'),
    integration.login('keeps the player id on the user: each once, the latest 10, and none of a login that fails'),
  ],
  'login/response': ['{success: true, data: {authorization: <ACCESS_TOKEN>}, meta: {}}', loggedIn],

  'list-invoices/permission': ['APICLI_PORTALPROVEEDOR_READ', permission],
  'list-invoices/rate limit': ['30 requests per minute, sliding window', parallel, sliding],
  'list-invoices/startdate': ['ISO 8601, required: Start of the range', listNeeds, listRange, listed],
  'list-invoices/enddate': ['ISO 8601, required: The range may not exceed 93 days', listNeeds, listRange, listed],
  'list-invoices/status': [
    'One of PEN, ENV, APR, REV, REC, AJU, LIQ',
    listField,
    functions.list('accepts the status %s'),
    integration.list('filters by status %s before it pages and counts'),
    integration.anyList('gives the rows and the total of reading everything, filtering and sorting'),
  ],
  'list-invoices/search': [
    'Free-text match on service number, account or invoice number; max 120 characters',
    listField,
    functions.list('accepts the search %j'),
    integration.list('searches for $finds'),
    integration.anyList('gives the rows and the total of reading everything, filtering and sorting'),
  ],
  'list-invoices/limit': ['1 to 100, default 25', listField, listBound, listed],
  'list-invoices/offset': ['Records to skip, default 0', listField, listBound, listed],
  'list-invoices/response': ['data.rows[], data.tolerance, meta {total, limit, offset}', listed],
  'list-invoices/rule 1': ['When startdate is missing, then 400 VALIDATION_ERROR', listNeeds],
  'list-invoices/rule 2': [
    'When the range exceeds 93 days or a date is invalid, then 400 INVALID_DATE_RANGE',
    listRange,
  ],
  'list-invoices/rule 3': ['When the end is before the start, then 400 INVALID_DATE_RANGE', listRange],
  'list-invoices/rule 4': [
    'Filters apply before paging. meta.total counts the filtered records',
    integration.list('filters by status %s before it pages and counts'),
    integration.anyList('gives the rows and the total of reading everything, filtering and sorting'),
  ],
  'list-invoices/rule 5': [
    'The order of rows is fixed by the service. A generic sort parameter does not exist',
    functions.list('ignores unknown parameters, a generic sort among them'),
    integration.list('is ordered by date, then by id as a number, both descending'),
  ],

  'get-invoice/permission': ['APICLI_PORTALPROVEEDOR_READ', permission],
  'get-invoice/rate limit': ['30 requests per minute, sliding window', parallel, sliding],
  'get-invoice/id': [
    'string (digits only), required',
    functions.detail('opens the invoice %s'),
    functions.detail('rejects the id %j, which is not digits only'),
  ],
  'get-invoice/response': [
    'data holds all invoice row fields, plus concepts[] and tolerance. meta is an empty object',
    integration.detail('holds all row fields, the concepts and the tolerance'),
  ],
  'get-invoice/not found': [
    'does not exist or does not belong to the supplier, then 404 NOT_FOUND',
    integration.detail(
      "is 404 NOT_FOUND, in the same words, for an absent invoice, another supplier's and another tenant's",
    ),
  ],

  'validate-amount/permission': ['APICLI_PORTALPROVEEDOR_READ', permission],
  'validate-amount/rate limit': [
    '30 requests per minute, sliding window',
    parallel,
    integration.validate('counts against the read limit, shared with list and detail'),
  ],
  'validate-amount/nothing written': [
    'Nothing is written',
    integration.validate('writes nothing but the rate counter'),
    infra.readersCannotWrite,
  ],
  'validate-amount/invoice_id': ['string, required: Invoice to check', checkField],
  'validate-amount/amount': [
    'number, required: Must be >= 0',
    checkField,
    functions.validate('accepts the amount %d at its bound'),
  ],
  'validate-amount/response': [
    'system_amount, declared_amount (the submitted amount), within_tolerance, ..., action (that would result)',
    functions.validate('answers with the two amounts and the outcome that declaring would have'),
    integration.validate('answers with the outcome that a declaration would have'),
  ],
  'validate-amount/not found': [
    'When the invoice does not belong to the supplier, then 404 NOT_FOUND',
    integration.validate("is 404 NOT_FOUND, in the same words, for an absent invoice and another supplier's"),
  ],
};
