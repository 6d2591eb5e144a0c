import type { Rules } from './rule.ts';
import { functions, infra, integration, unit } from './suites.ts';

const badKey = unit.identity('is refused when the API key %s');
const badUser = unit.identity('is refused when the user %s');
const suspended = unit.identity('is refused when %s');
const badKeyAtEndpoint = integration.apiKey('%s is UNAUTHORIZED');
const atOnce = integration.change('$change');
const blocksAtEndpoint = integration.guard('blocks for 60 s, every attempt: refused at 59.9 s, allowed at 60 s');
const blocks = unit.guard('blocks a source for 60 s from its 5th failure within 30 s');

/** Authentication; that of the legacy route is in legacy.ts. */
export const authentication: Rules = {
  'two credentials': [
    'a JWT and an API key, each validated independently',
    functions.everyProtected('requires an access token: %s'),
    functions.everyProtected('requires a valid API key: %s'),
    integration.apiKey('that is missing, unknown, or issued in another tenant is UNAUTHORIZED'),
  ],
  'tenant on every request': [
    'Every request, login included, also carries the tenant header',
    functions.every('requires the tenant header: %s'),
  ],
  'Flow/1': [
    'Call POST /apidev/v1/login with email and password (and the tenant header)',
    functions.login('answers right credentials with the access token in data.authorization'),
  ],
  'Flow/2': [
    'a signed JWT. Its lifetime is 1 hour from issue by default',
    unit.token('is signed with ES256 and names its key'),
    unit.token('carries the user, issuer, audience, its own id, and an end one hour after its issue'),
    unit.token('is valid for an hour, and TOKEN_EXPIRED from then on'),
  ],
  'Flow/3': [
    'Send Authorization, X-API-Key and tenant on every later request',
    functions.list('answers the rows of the range, the tolerance and the page'),
  ],
  'Headers/tenant': [
    'Missing or wrong: 401 UNAUTHORIZED',
    functions.every('requires the tenant header: %s'),
    integration.tenant(
      'that is wrong, unknown or of another tenant than the token is UNAUTHORIZED; its case does not matter',
    ),
  ],
  'Headers/Authorization': [
    'Required on protected endpoints',
    functions.everyProtected('requires an access token: %s'),
  ],
  'Headers/X-API-Key': [
    'Required on protected endpoints',
    functions.everyProtected('requires a valid API key: %s'),
    integration.apiKey('that is missing, unknown, or issued in another tenant is UNAUTHORIZED'),
  ],

  'API key checks/Tenant match': ['The key belongs to the same tenant as the JWT', badKey, badKeyAtEndpoint],
  'API key checks/Scope': ['The key has a valid integration scope assigned', badKey, badKeyAtEndpoint],
  'API key checks/Status': ['The key state is active', badKey, badKeyAtEndpoint],
  'API key checks/Time window': [
    "The current time lies within the key's valid_from and valid_until",
    badKey,
    unit.identity('holds at the %s instant of the API key'),
    badKeyAtEndpoint,
  ],
  'API key checks/any fails': ['When any check fails, then 401 UNAUTHORIZED', badKey, badKeyAtEndpoint],

  'rule 1/expired': [
    '401 TOKEN_EXPIRED (message: the token has expired and a new login is needed)',
    unit.token('is valid for an hour, and TOKEN_EXPIRED from then on'),
    integration.token('lives for one hour; then it is TOKEN_EXPIRED, with the message to log in anew'),
  ],
  'rule 1/wrong credentials': [
    '401 UNAUTHORIZED (message: Invalid email or password.)',
    integration.login(
      'says the same to a wrong password, an unknown user, an unknown tenant and a user without a password',
    ),
  ],
  'rule 1/missing tenant': [
    '401 UNAUTHORIZED (message: The tenant header is required.)',
    functions.every('requires the tenant header: %s'),
  ],
  'rule 2/every request': ['checked against current configuration on every request', atOnce],
  'rule 2/deactivated': ['the user is deactivated, then 401 with message User is not active', badUser, atOnce],
  'rule 2/license': ['the license is off', badUser, atOnce],
  'rule 2/expiry': [
    'the expiry date has passed',
    badUser,
    unit.identity('holds until the very expiry of the user'),
    atOnce,
  ],
  'rule 2/no permission': ['no permission is left', badUser, atOnce],
  'rule 2/within seconds': ['The token stops working within seconds', atOnce],
  'rule 2/login': [
    'A new login is refused until an administrator reactivates the user',
    integration.login('of $what is refused as not active until that is changed; it is no failed attempt'),
  ],
  'rule 3': [
    'one permission is removed, then only the endpoints needing it return 403 FORBIDDEN',
    integration.change('one permission is removed: only the endpoints that need it are FORBIDDEN'),
  ],
  'rule 4/every endpoint': [
    'suspended, then 403 COMPANY_SUSPENDED on every endpoint, login included',
    suspended,
    functions.everyProtected('is closed to a suspended company: %s'),
    integration.login('of a suspended company is 403 COMPANY_SUSPENDED, for the right password only'),
  ],
  'rule 4/earlier tokens': [
    'No new tokens are issued. Earlier tokens stop working immediately',
    atOnce,
    integration.login('of a suspended company is 403 COMPANY_SUSPENDED, for the right password only'),
  ],
  'rule 5': [
    'cannot be verified at that moment, then 503 SERVICE_UNAVAILABLE. The token stays valid',
    unit.verifying('a failure to read is SERVICE_UNAVAILABLE, with its cause for the log'),
    integration.unavailable('when the user cannot be verified (%s)'),
  ],
  'rule 6/block': [
    '5 failed attempts within 30 seconds block login attempts from the same source for 60 seconds',
    blocks,
    unit.guard('does not block a 5th failure that comes 30 s after the first'),
    integration.guard(
      "holds per source address as the gateway saw it, whichever user is tried and whatever a client's header says",
    ),
    unit.guard('keeps sources apart'),
    blocksAtEndpoint,
  ],
  'rule 6/every attempt': ['During the block every attempt is refused with 429', blocks, blocksAtEndpoint],
  'rule 6/headers': [
    'carries only Retry-After, not the X-RateLimit-* headers',
    integration.guard('refuses 45 of 50 parallel wrong guesses with 429 RATE_LIMITED, which carries only Retry-After'),
  ],
  'rule 7': ['Unencrypted HTTP requests are rejected', infra.https],
  'rule 8': [
    "scoped per tenant and per user. Several keys or several users do not multiply a user's limit",
    integration.rateLimit(
      'holds per tenant and user: a second key does not multiply it, another user and tenant have their own',
    ),
  ],
};
