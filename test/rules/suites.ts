import { suite } from './rule.ts';

const V1 = '/apidev/v1';
const INVOICES = `${V1}/supplier-portal/invoices`;

/** The tests of each function by itself. */
export const functions = {
  every: suite('functions/every-endpoint', 'every endpoint'),
  everyProtected: suite('functions/every-endpoint', 'every protected endpoint'),
  login: suite('functions/login', `POST ${V1}/login`),
  list: suite('functions/list-invoices', `GET ${INVOICES}`),
  detail: suite('functions/get-invoice', `GET ${INVOICES}/{id}`),
  declare: suite('functions/declare-invoice', `POST ${INVOICES}/declare`),
  batch: suite('functions/declare-batch', `POST ${INVOICES}/declare-batch`),
  validate: suite('functions/validate-amount', `POST ${INVOICES}/validate`),
  legacy: suite('functions/legacy-dispatch', 'POST /apidev/legacy/{WSName}'),
};

/** The tests of the functions together, against a real engine. */
export const integration = {
  login: suite('integration/login', 'a login'),
  guard: suite('integration/login-guard', 'the login guard'),
  tenant: suite('integration/access', 'the tenant header'),
  apiKey: suite('integration/access', 'the API key'),
  token: suite('integration/token-attacks', 'a token'),
  change: suite(
    'integration/snapshot',
    'a change of the configuration takes effect at once on a token that was issued before',
  ),
  unavailable: suite('integration/faults', '503 SERVICE_UNAVAILABLE, with the token staying valid'),
  failure: suite('integration/faults', '500 INTERNAL_ERROR says nothing of its cause'),
  list: suite('integration/list-invoices', 'the list of invoices'),
  anyList: suite('integration/list-invoices-property', 'a list'),
  detail: suite('integration/get-invoice', 'the detail of an invoice'),
  declare: suite('integration/declare', 'a declaration'),
  batch: suite('integration/declare-batch', 'a batch of declarations'),
  malformedBatch: suite('integration/declare-batch-input', 'a malformed batch'),
  validate: suite('integration/validate-amount', 'the pre-flight check of an amount'),
  rateLimit: suite('integration/rate-limit', 'the rate limit'),
};

/** The tests of the legacy route, against a real engine. */
export const legacy = {
  malformed: suite('integration/legacy-credentials', 'a missing or malformed WSAutorizacion'),
  wrong: suite('integration/legacy-credentials', 'wrong credentials'),
  right: suite('integration/legacy-credentials', 'right credentials'),
  data: suite('integration/legacy-errors', 'invalid data'),
  foreign: suite('integration/legacy-errors', 'an invoice that is absent or of another supplier'),
  unknown: suite('integration/legacy-errors', 'an operation that does not exist'),
  rateLimit: suite('integration/legacy-limits', 'the rate limit of both surfaces'),
  guard: suite('integration/legacy-limits', 'the login guard of both surfaces'),
  change: suite('integration/legacy-limits', 'a change of the configuration takes effect on the next legacy call'),
  parity: suite('integration/legacy-parity', 'the legacy surface and the current one'),
  operations: suite('unit/legacy-names', 'the operations of the legacy protocol'),
};

/** The tests of single rules. */
export const unit = {
  endpoints: suite('unit/endpoints', 'endpoints'),
  envelope: suite('unit/response', 'the envelope'),
  headers: suite('unit/response', 'response headers'),
  failure: suite('unit/response', 'an unexpected failure'),
  details: suite('unit/validation-details', 'validation details'),
  body: suite('unit/read-input', 'a body'),
  outcome: suite('unit/tolerance', 'tolerance outcome'),
  tolerance: suite('unit/tolerance', 'effective tolerance'),
  states: suite('unit/invoice-states', 'invoice states'),
  range: suite('unit/date-range', 'a date range'),
  codes: suite('unit/errors', 'error codes'),
  verifying: suite('unit/errors', 'while a user is verified'),
  token: suite('unit/tokens', 'an access token'),
  identity: suite('unit/access-rules', 'an identity'),
  supplier: suite('unit/access-rules', 'a supplier account'),
  guard: suite('unit/login-guard', 'the login guard'),
};

const gatewayResponse = suite('infra/api', 'gateway response $ResponseType');

/** The tests of the stack that prove what its code does not decide. */
export const infra = {
  https: suite('infra/api', 'API')('is regional, rejects plain HTTP, and lets its functions judge everything else'),
  gatewayEnvelope: gatewayResponse('has the envelope, a code of the interface, and its status'),
  gatewayResponse: gatewayResponse('carries the request id, forbids caching, and says when to retry'),
  readersCannotWrite: suite('infra/permissions', 'permissions')('%s cannot write invoices or declarations'),
};

const gateway = suite('e2e/local-gateway', 'local gateway');

/** The tests of the whole service as it is started. */
export const e2e = {
  wrongPath: gateway('answers %s with 404'),
  requestId: gateway('makes the request id of %s itself'),
};
