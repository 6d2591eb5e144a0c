import { hashApiKey, isUsableKey } from '../access/access-rules.ts';
import type { LegacyDispatchInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey } from '../domain/directory.ts';
import { ServiceError, orServiceUnavailable } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import * as texts from '../domain/texts.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import type { Access, Identified } from '../http/check-access.ts';
import { buildRateLimitSubject, countRequest, type RequestLimiter } from '../http/count-request.ts';
import type { LoginCredentialPorts } from '../http/guard-login.ts';
import { readHeader, readMediaType } from '../http/headers.ts';
import { createInputError, toPropertyFaults } from '../http/validation-details.ts';
import { verifyCredentials } from '../access/verify-credentials.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { parseBody, requireUnicode } from '../http/request-text.ts';
import { ID_FIELD } from './protocol.ts';

// Matches a property of a batch item, such as `Declaraciones[3].Importe`. Batch items are validated separately.
const BATCH_ITEM_PROPERTY = /^Declaraciones\[\d+\]\./;
// Matches an id that is a number, such as `"IdFactura": 9003.0`. A text cannot contain quotation marks without backslashes.
const NUMERIC_ID = new RegExp(String.raw`(?<!\\)("${ID_FIELD}"\s*:\s*)(0|[1-9]\d*)(?:\.0+)?(?=\s*[,}])`, 'g');

/** Parses a body as JSON, whatever its Content-Type is. Converts ids that are whole numbers to texts of digits. */
export function parseAnyBody(): PortalMiddleware<RequestState, { readonly body: unknown }> {
  return addToState((request) => {
    const { event } = request;
    requireUnicode(event, BATCH_ITEM_PROPERTY);
    const text = event.body ?? '';
    // The gateway replaces invalid UTF-8 bytes with U+FFFD, unless the Content-Type is JSON.
    if (readMediaType(event) !== 'application/json' && text.includes('\uFFFD')) {
      throw createInputError('body', 'unicode', notUnicode);
    }
    return { body: parseBody(request, LIMITS.bodyBytes, quoteIds) };
  });
}

/** Converts ids in a JSON text to texts. An id that is negative, fractional or above 2^53 - 1 stays a number. */
function quoteIds(json: string): string {
  return json.replace(NUMERIC_ID, (property: string, name: string, digits: string) =>
    Number.isSafeInteger(Number(digits)) ? `${name}"${digits}"` : property,
  );
}

// No tenant has this name. For an unknown key, a user of this tenant is looked up, so that the response is not faster.
const NO_TENANT = '-';

interface LegacyPorts extends LoginCredentialPorts {
  readonly directory: LoginCredentialPorts['directory'] & {
    readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
  };
  readonly limiter: RequestLimiter;
}

/** Requires that the body contains well-formed credentials. A malformed body counts as a failed login of its source. */
export function requireWsAutorizacion(
  guards: Pick<LegacyPorts['guards'], 'beginAttempt'>,
): PortalMiddleware<RequestState & { readonly body: unknown }, LegacyDispatchInput> {
  return addToState(async ({ event: { state } }) => {
    if (validate(state.body)) return { WSAutorizacion: state.body.WSAutorizacion };
    const details = toPropertyFaults(validate.errors ?? [], 'body');
    // The parsing of a malformed body has already cost time. Therefore the body counts as a failed login, and a source
    // that sends many of them is locked out.
    const attempt = await orServiceUnavailable(guards.beginAttempt(state.source));
    await orServiceUnavailable(attempt.recordFailure());
    throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, {
      reason: 'malformed-authorization',
      details,
    });
  });
}

type CredentialState = RequestState & LegacyDispatchInput & { readonly accessKind: AccessKind };

/** Verifies API key and password with the guards of logins, and counts the request. */
export function verifyLegacyCredentials(ports: LegacyPorts): PortalMiddleware<CredentialState, Access & Identified> {
  const { directory, limiter } = ports;
  return addToState(async ({ event }) => {
    const { state } = event;
    const { accessKind } = state;
    const { Guid, Usuario, Password } = state.WSAutorizacion;
    const apiKeyHash = hashApiKey(Guid);
    const tenantHeader = readHeader(event, 'tenant')?.toLowerCase();
    const findAccount = async () => {
      const key = await directory.findApiKey(apiKeyHash);
      state.apiKeyLast4 = key?.last4;
      const isKeyTenant = tenantHeader === undefined || tenantHeader === key?.tenant;
      return directory.findLogin(key && isKeyTenant ? key.tenant : NO_TENANT, Usuario);
    };
    const verification = await verifyCredentials(ports, {
      source: state.source,
      password: Password,
      apiKeyHash,
      findAccount,
      log: state,
      matchesSnapshot: ({ apiKey, tenant }) => tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt),
    });
    if (verification.kind === 'invalid') {
      throw new ServiceError('UNAUTHORIZED', texts.wrongCredentials, { reason: 'wrong-credentials' });
    }

    const { snapshot, tenant, user } = verification;
    const { userId, companyId, supplierId } = user;
    const identity = { tenant, userId, companyId, supplierId };
    // If a guard rejects the attempt now, the log line still needs the user. Therefore, the identity is set first.
    state.identity = identity;
    const [limit] = await Promise.all([
      countRequest(limiter, accessKind, buildRateLimitSubject(identity, user), state),
      verification.recordSuccess(),
    ]);
    return { accessKind, identity, session: null, snapshot, limit };
  });
}
