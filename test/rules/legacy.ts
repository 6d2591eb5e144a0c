import type { Rules } from './rule.ts';
import { functions, legacy } from './suites.ts';

const wrongMessage = legacy.wrong('are told in one message, whatever is wrong: %s');
const badGuid = legacy.wrong('are told in the same message for a Guid $what');
const otherTenant = legacy.wrong(
  "are told in the same message for another tenant's header, Guid or user, and for a tenant that was removed",
);
const malformed = legacy.malformed('is UNAUTHORIZED in a Resultado that says what is wrong: %j');
const eitherName = functions.legacy('takes an e-mail or a username as Usuario, and either in any case');
const sameData = legacy.parity('answer a list, a detail and a check of an amount with the same facts');
const sameWrites = legacy.parity('declare with the same outcome, and each sees what was declared by the other');
const operations = [
  functions.legacy('WSListarFacturas lists the invoices of the range, newest first, with the tolerance and the page'),
  functions.legacy('WSListarFacturas takes %j'),
  functions.legacy('WSObtenerFactura opens an invoice with its concepts and the tolerance'),
  functions.legacy('WSDeclararFactura declares an amount and answers with the outcome'),
  functions.legacy('WSDeclararFacturas declares many amounts and answers one entry per item, and the counts'),
  functions.legacy('WSValidarFactura checks an amount'),
];
const responseFormat = [
  legacy.operations('%s has a name for every field of its answer, each once in its object'),
  ...operations,
];

/** What the service does, rule 4. */
export const legacySurface: Rules = {
  'rule 4/route': [
    'A compatibility surface with the base route POST /apidev/legacy/<WSName> exists',
    ...operations,
    legacy.unknown('is 404 with a Resultado, whatever the body holds: %j'),
  ],
  'rule 4/same live data': [
    'It reads and writes the same live data as the current interface',
    sameData,
    sameWrites,
    legacy.parity('keep one declaration: an update over the other surface keeps its id and what is not sent'),
    legacy.foreign('is NOT_FOUND in the same words for %s, and nothing of it changes'),
  ],
  'rule 4/structures': [
    'keeps the legacy request and response structures',
    legacy.operations('%s has a Pascal-case name for every field of its request'),
    ...responseFormat,
  ],
};

/** Endpoints: the legacy route; its operations and fields are this service's own until the real ones are known. */
export const legacyRoute: Rules = {
  'legacy-dispatch/route': [
    'POST /apidev/legacy/<WSName>',
    ...operations,
    legacy.unknown('is 404 with a Resultado, whatever the body holds: %j'),
  ],
  'legacy-dispatch/WSAutorizacion': [
    'The request body is JSON with a WSAutorizacion object at its root',
    malformed,
    legacy.data('is VALIDATION_ERROR when there is %s'),
  ],
  'legacy-dispatch/format': [
    'Request body structure, field names and response format follow the legacy protocol unchanged',
    legacy.operations('%s has a Pascal-case name for every field of its request'),
    ...responseFormat,
    legacy.data('is VALIDATION_ERROR and named by its legacy field: %s %j'),
  ],
  'legacy-dispatch/migration': [
    'A migrating client changes only the host and base route',
    functions.legacy('needs no tenant header, and takes one that is the tenant of the Guid'),
    functions.legacy('ignores fields that the operation does not have, the names of the current interface among them'),
  ],
  'legacy-dispatch/rate limit': [
    'Limits are per tenant and per user',
    legacy.rateLimit('is one: exactly $limit of 40 $kind sent to both at once pass'),
    legacy.rateLimit('counts every legacy operation in the group of its counterpart'),
    legacy.rateLimit('holds per tenant and user: a second Guid does not multiply it'),
    legacy.rateLimit('refuses with 429, a Spanish Resultado, the rate headers and the seconds to wait'),
  ],
};

/** Legacy route authentication. */
export const legacyAuthentication: Rules = {
  'Legacy/Guid': [
    'string (UUID): API key issued to the company',
    malformed,
    functions.legacy('takes the Guid in capital letters'),
    wrongMessage,
    badGuid,
    otherTenant,
  ],
  'Legacy/Usuario': ["string: Integration user's e-mail or username", malformed, eitherName, wrongMessage],
  'Legacy/Password': [
    "string: Integration user's password",
    malformed,
    wrongMessage,
    legacy.change('the password is changed: the old one stops working, the new one works'),
  ],
  'Legacy/missing': [
    'When WSAutorizacion is missing, then an error Resultado carrying a descriptive Mensaje',
    malformed,
  ],
  'Legacy/invalid': [
    'or the credentials are invalid, then an error Resultado carrying a descriptive Mensaje',
    wrongMessage,
    badGuid,
    otherTenant,
    legacy.wrong('are told in the same message for a user without a password, an inactive one and a suspended company'),
  ],
  'Legacy/access rules': [
    'The user and the permissions are checked against current configuration on every request',
    legacy.right('of an inactive user, or in a suspended company, do not open %s'),
    legacy.right('without a supplier or the permission do not open %s'),
    legacy.change('$change'),
  ],
  'Legacy/brute force': [
    '5 failed attempts within 30 seconds block login attempts from the same source for 60 seconds',
    legacy.guard('blocks login and legacy route after 5 wrong legacy credentials, with 429 and only Retry-After'),
    legacy.guard('adds failures of the one to those of the other'),
    legacy.guard('counts a Guid that is not valid, even with the right password, and nothing against the rate limit'),
    legacy.guard('tells no more than 5 of 30 parallel wrong guesses so'),
  ],
};
