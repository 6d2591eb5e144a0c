import { besideInterface } from './beside-interface.ts';
import { endpoints } from './endpoints.ts';
import { resources } from './resources.ts';

/** The rules of authentication, including the legacy route. */
const authentication = {
  'auth/two-credentials': 'A JWT and an API key, each validated independently of the other',
  'auth/tenant': 'Every request, a login included, carries the tenant header',
  'auth/flow-1': 'POST /apidev/v1/login takes e-mail and password, and the tenant header',
  'auth/flow-2': 'The service returns a signed JWT that lives for 1 hour from its issue',
  'auth/flow-3': 'Authorization, X-API-Key and tenant open every later request',
  'auth/flow-4': 'When a 401 arrives, the client discards the token and logs in again; there is no refresh-token flow',

  'headers/tenant': 'Required on every request; missing or wrong: 401 UNAUTHORIZED',
  'headers/Authorization': 'Bearer <ACCESS_TOKEN>, required on protected endpoints',
  'headers/X-API-Key': 'Issued to the company, required on protected endpoints',

  'api-key/tenant': 'The key belongs to the same tenant as the JWT, else 401 UNAUTHORIZED',
  'api-key/scope': 'The key has a valid integration scope, else 401 UNAUTHORIZED',
  'api-key/status': 'The key is active, else 401 UNAUTHORIZED',
  'api-key/time-window': 'The present lies within valid_from and valid_until of the key, else 401 UNAUTHORIZED',

  'auth/rule-1/expired': 'A valid but expired JWT gives 401 TOKEN_EXPIRED: expired, a new login is needed',
  'auth/rule-1/wrong-credentials': 'Wrong credentials give 401 UNAUTHORIZED: Invalid email or password.',
  'auth/rule-1/missing-tenant': 'A missing tenant gives 401 UNAUTHORIZED: The tenant header is required.',
  'auth/rule-2/deactivated': 'A deactivated user: 401 UNAUTHORIZED, User is not active',
  'auth/rule-2/license': 'A license that is off: 401 UNAUTHORIZED, User is not active',
  'auth/rule-2/expiry': 'An expiry date that has passed: 401 UNAUTHORIZED, User is not active',
  'auth/rule-2/permissions': 'No permission left: 401 UNAUTHORIZED, User is not active',
  'auth/rule-2/at-once': 'User and permissions are checked on every request; the token stops working within seconds',
  'auth/rule-2/login': 'A new login is refused until an administrator reactivates the user',
  'auth/rule-3': 'When one permission is removed, only the endpoints that need it return 403 FORBIDDEN',
  'auth/rule-4/endpoints': 'A suspended company: 403 COMPANY_SUSPENDED on every protected endpoint',
  'auth/rule-4/login': 'A suspended company: 403 COMPANY_SUSPENDED on the login, no new tokens',
  'auth/rule-4/tokens': 'A suspended company: earlier tokens stop working immediately',
  'auth/rule-4/client': 'A suspended company: the client stops retrying',
  'auth/rule-5/unavailable': 'A user who cannot be verified: 503 SERVICE_UNAVAILABLE, and the token stays valid',
  'auth/rule-5/client': 'After that 503 the client retries after a short wait and does not log in again',
  'auth/rule-6/block': '5 failed attempts within 30 s block login attempts from the same source for 60 s',
  'auth/rule-6/every-attempt': 'During the block every attempt is refused with 429',
  'auth/rule-6/headers': 'That 429 carries only Retry-After, not the X-RateLimit-* headers',
  'auth/rule-7': 'Unencrypted HTTP requests are rejected',
  'auth/rule-8': 'Rate limits are scoped per tenant and user: several keys or users do not multiply them',

  'legacy-auth/Guid': 'string (UUID): API key issued to the company',
  'legacy-auth/Usuario': "string: the integration user's e-mail or username",
  'legacy-auth/Password': "string: the integration user's password",
  'legacy-auth/missing': 'A missing WSAutorizacion: an error Resultado with a descriptive Mensaje',
  'legacy-auth/invalid': 'Invalid credentials: an error Resultado with a descriptive Mensaje',
};

/** The rules of errors: the envelope, the codes and their causes, and general rules. */
const errors = {
  'error-envelope/success': 'success is always false',
  'error-envelope/code': 'error.code is machine-readable',
  'error-envelope/message': 'error.message is text for people',
  'error-envelope/details':
    'error.details has one entry per invalid property: property, and constraints by name with their messages',
  'error-envelope/no-data': 'No data is returned on errors',
  'error-envelope/always-details': 'Every validation failure is VALIDATION_ERROR with details filled in',

  'codes/VALIDATION_ERROR': 'HTTP status 400',
  'codes/VALIDATION_ERROR/missing': 'A required field is missing',
  'codes/VALIDATION_ERROR/type': 'A value is of the wrong type',
  'codes/VALIDATION_ERROR/range':
    'A value is out of range: limit above 100, amount below 0, more than 100 declarations',
  'codes/VALIDATION_ERROR/id': 'An entity id is not digits',
  'codes/INVALID_DATE_RANGE': 'HTTP status 400',
  'codes/INVALID_DATE_RANGE/too-long': 'The range is above the maximum of the endpoint, 93 days on the list',
  'codes/INVALID_DATE_RANGE/reversed': 'The end is before the start',
  'codes/INVALID_DATE_RANGE/not-iso': 'A date is not in ISO format',
  'codes/UNAUTHORIZED': 'HTTP status 401',
  'codes/UNAUTHORIZED/token': 'The JWT is missing or invalid',
  'codes/UNAUTHORIZED/api-key': 'The API key is missing or invalid, inactive or outside its window',
  'codes/UNAUTHORIZED/tenant': 'The tenant header is missing or invalid',
  'codes/UNAUTHORIZED/tenant-mismatch': 'Tenant header, token and API key are not of one tenant',
  'codes/UNAUTHORIZED/credentials': 'The credentials are missing or invalid',
  'codes/UNAUTHORIZED/user': 'The user is not active',
  'codes/TOKEN_EXPIRED': 'HTTP status 401',
  'codes/TOKEN_EXPIRED/lifetime': 'The JWT is valid but past its 1-hour lifetime',
  'codes/FORBIDDEN': 'HTTP status 403',
  'codes/FORBIDDEN/supplier': 'A non-supplier account on a supplier endpoint',
  'codes/FORBIDDEN/permission': 'A missing permission',
  'codes/COMPANY_SUSPENDED': 'HTTP status 403',
  'codes/COMPANY_SUSPENDED/company': 'The company account is suspended',
  'codes/NOT_FOUND': 'HTTP status 404',
  'codes/NOT_FOUND/resource': 'The resource id does not exist or does not belong to the supplier',
  'codes/NOT_FOUND/path': 'The URL path is wrong',
  'codes/RATE_LIMITED': 'HTTP status 429',
  'codes/RATE_LIMITED/wait': 'Too many requests in the window; Retry-After gives the wait in seconds',
  'codes/INTERNAL_ERROR': 'HTTP status 500',
  'codes/INTERNAL_ERROR/failure': 'An unexpected failure of the server',
  'codes/SERVICE_UNAVAILABLE': 'HTTP status 503',
  'codes/SERVICE_UNAVAILABLE/user': 'The user could not be verified at that moment',

  'errors/rule-1': 'An entity id is text of digits only; any other gives 400 VALIDATION_ERROR that names the property',
  'errors/rule-2': 'Fields that are not entity ids accept text: status codes, free-text search, enum options',
  'errors/rule-3': 'Every response carries an X-Request-Id, unique and made by the server; the client does not send it',
  'errors/rule-4':
    'The client retries 429, 500 and 503 after 1, 2, 4 and 8 s, then gives up; a 429 after its Retry-After',
  'errors/rule-5':
    'A failed item of a batch is reported inside results with error {code, message}; the status stays 200',
};

/** The limits of the request rate, their headers, and the limits of fields and parameters. */
const limits = {
  'limits/sliding-window': 'The requests of the last 60 seconds are compared with the limit; an excess gives 429',
  'limits/per-user': 'Limits are per tenant and per user',
  'limits/read': 'list, detail and validate: 30 requests per 60 s, sliding, tracked apart from writes',
  'limits/write': 'declare and declare-batch: 10 requests per 60 s, sliding, tracked apart from reads',
  'limits/login': '5 failed attempts per 30 s; a block of 60 s',

  'rate-headers/X-RateLimit-Limit': 'On all responses: maximum of requests in the current window',
  'rate-headers/X-RateLimit-Remaining': 'On all responses: requests left in the window',
  'rate-headers/X-RateLimit-Reset': 'On all responses: Unix time in seconds when the window resets',
  'rate-headers/Retry-After': 'Seconds to wait, on 429 responses only',
  'rate-headers/login': 'The login endpoint on a 429 sends only Retry-After',

  'limits/date-range': 'Range of the list: at most 93 days',
  'limits/limit': 'limit of the list: 1 to 100, default 25',
  'limits/offset': 'offset of the list: default 0',
  'limits/search': 'search: 120 characters at most',
  'limits/declarations': 'Batch: 1 to 100 items',
  'limits/invoice_number': 'invoice_number: 60 characters at most',
  'limits/amount': 'amount: at least 0',
  'limits/tax_pct': 'tax_pct: 0 to 100',
  'limits/playerid': 'playerid: 200 characters at most',
  'limits/token-lifetime': 'Lifetime of a JWT: 1 hour',
};

/**
 * The functions of the service, the states and the versions. The resource areas of rule 5 are out of scope. The interface
 * does not show the transitions between states.
 */
const service = {
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

const sections = [service, resources, endpoints, authentication, errors, limits, besideInterface];

type KeyOf<Section> = Section extends Section ? keyof Section : never;

/** The id of a rule, such as `list-invoices/rule-4`. */
export type RuleId = KeyOf<(typeof sections)[number]>;

/** Every rule of the interface and of its additions, with its id. Requirements that do not apply to this service are in out-of-scope.ts. */
export const rules = sections.flatMap((section) => Object.entries(section)) as [id: RuleId, rule: string][];
