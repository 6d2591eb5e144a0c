import { hashApiKey, isUsableKey } from '../access/access-rules.ts';
import { verifyCredentials } from '../access/verify-credentials.ts';
import type { LegacyDispatchInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey } from '../domain/directory.ts';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import * as texts from '../domain/texts.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import type { Access, Identified } from '../http/check-access.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { buildRateLimitSubject, countRequest, type RequestLimiter } from '../http/count-request.ts';
import type { LoginCredentialPorts } from '../http/guard-login.ts';
import { readHeader, readMediaType } from '../http/headers.ts';
import { parseBody, requireUnicode } from '../http/request-text.ts';
import { createInputError, toPropertyFaults } from '../http/validation-details.ts';
import { ID_FIELD } from './protocol.ts';

// A property of a batch item, such as `Declaraciones[3].Importe`. Its text is checked later, with its item.
const BATCH_ITEM_PROPERTY = /^Declaraciones\[\d+\]\./;
// Matches an id that is a number, such as `"IdFactura": 9003.0`, but not `"IdFactura": "9003"`. The lookbehind excludes
// the same characters within a text, where a backslash precedes each quotation mark: `"Notas": "\"IdFactura\": 9003,"`.
const NUMERIC_ID = new RegExp(String.raw`(?<!\\)("${ID_FIELD}"\s*:\s*)(0|[1-9]\d*)(?:\.0+)?(?=\s*[,}])`, 'g');

/** Parses a body as JSON, with any Content-Type or none. Converts ids that are whole numbers to texts of digits. */
export function parseAnyBody(): PortalMiddleware<RequestState, { readonly body: unknown }> {
  return addToState((request) => {
    const { event } = request;
    requireUnicode(event, BATCH_ITEM_PROPERTY);
    const text = event.body ?? '';
    // If the Content-Type is not JSON, the gateway replaces invalid UTF-8 bytes with U+FFFD.
    if (readMediaType(event) !== 'application/json' && text.includes('\uFFFD')) {
      throw createInputError('body', 'unicode', notUnicode);
    }
    return { body: parseBody(request, LIMITS.bodyBytes, quoteIds) };
  });
}

/** Puts quotation marks around numeric ids. An id that is negative, fractional or above 2^53 - 1 stays a number. */
function quoteIds(json: string): string {
  return json.replace(NUMERIC_ID, (property: string, nameAndColon: string, digits: string) => {
    const isExact = Number.isSafeInteger(Number(digits));
    return isExact ? `${nameAndColon}"${digits}"` : property;
  });
}

interface LegacyPorts extends LoginCredentialPorts {
  readonly directory: LoginCredentialPorts['directory'] & {
    readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
  };
  readonly limiter: RequestLimiter;
}

/** Requires that `WSAutorizacion` has its three texts. A malformed one counts as a failed login of its source. */
export function requireWsAutorizacion(
  guards: Pick<LegacyPorts['guards'], 'beginAttempt'>,
): PortalMiddleware<RequestState & { readonly body: unknown }, LegacyDispatchInput> {
  return addToState(async ({ event: { state } }) => {
    if (validate(state.body)) return { WSAutorizacion: state.body.WSAutorizacion };
    const details = toPropertyFaults(validate.errors ?? [], 'body');
    // A source that sends many malformed bodies is locked out, because parsing them costs time.
    const attempt = await orServiceUnavailable(guards.beginAttempt(state.source));
    await orServiceUnavailable(attempt.recordFailure());
    const reason = 'malformed-authorization';
    throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, { reason, details });
  });
}

type CredentialState = RequestState & LegacyDispatchInput & { readonly accessKind: AccessKind };

/** Verifies the API key and the password. The guards of logins count failures, and the limiter counts the request. */
export function verifyLegacyCredentials(ports: LegacyPorts): PortalMiddleware<CredentialState, Access & Identified> {
  return addToState(async ({ event }) => {
    const { state } = event;
    const { accessKind, receivedAt } = state;
    const { Guid, Usuario, Password } = state.WSAutorizacion;
    const apiKeyHash = hashApiKey(Guid);
    const findAccount = async () => {
      const key = await ports.directory.findApiKey(apiKeyHash);
      state.apiKeyLast4 = key?.last4; // for the log line
      const tenant = chooseTenant(key, readHeader(event, 'tenant'));
      return ports.directory.findLogin(tenant, Usuario);
    };
    const verification = await verifyCredentials(ports, {
      source: state.source,
      password: Password,
      apiKeyHash,
      findAccount,
      log: state,
      // The snapshot contains all records of Directory on which the access of the user depends.
      matchesSnapshot: ({ apiKey, tenant }) => tenant !== null && isUsableKey(apiKey, tenant.tenant, receivedAt),
    });
    if (verification.kind === 'invalid') {
      throw new ServiceError('UNAUTHORIZED', texts.wrongCredentials, { reason: 'wrong-credentials' });
    }

    const { snapshot, tenant, user } = verification;
    const { userId, companyId, supplierId } = user;
    const identity = { tenant, userId, companyId, supplierId };
    // The identity is set before the last steps, because the log line needs it also if one of them fails.
    state.identity = identity;
    const subject = buildRateLimitSubject(identity, user);
    const counting = countRequest(ports.limiter, accessKind, subject, state);
    const [limit] = await Promise.all([counting, verification.recordSuccess()]);
    // A legacy call has no session, because it has no token.
    return { accessKind, identity, session: null, snapshot, limit };
  });
}

/** Returns the tenant of an API key. The tenant header is optional, but if it is present, it must name this tenant. */
function chooseTenant(key: ApiKey | null, header: string | undefined): string {
  const isValid = key !== null && (header === undefined || header.toLowerCase() === key.tenant);
  // No tenant is named `-`. A login is looked up even then, so that the response takes as long as for a wrong password.
  return isValid ? key.tenant : '-';
}
