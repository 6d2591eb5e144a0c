import { hashApiKey, isUsableKey } from '../access/access-rules.ts';
import type { createPasswordProofs } from '../access/passwords.ts';
import type { LegacyDispatchInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey, LoginAccount } from '../domain/directory.ts';
import { ServiceError, orServiceUnavailable } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import {
  type Access,
  countRequest,
  type Identified,
  buildRateLimitSubject,
  type RequestLimiter,
} from '../http/check-access.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { readHeader, readMediaType } from '../http/headers.ts';
import { createInputError, toDetails } from '../http/validation-details.ts';
import { type CredentialPorts, verifyCredentials } from '../access/verify-credentials.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { parseBody, requireUnicode } from '../http/request-text.ts';
import { ID_FIELD } from './protocol.ts';

/** The reviver of JSON.parse with the source text of a value, which the types of TypeScript do not contain yet. */
type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

// Matches a property of a batch item, such as `Declaraciones[3].Importe`. The items are validated one by one.
const IN_BATCH_ITEM = /^Declaraciones\[\d+\]\./;
// Matches an id that is a number, such as `"IdFactura": 9003`.
const NUMBER_AS_ID = new RegExp(`"${ID_FIELD}"\\s*:\\s*[-\\d]`);

/** Parses a body as JSON, with any Content-Type. Ids that are whole numbers become texts of their digits. */
export function parseAnyBody(): PortalMiddleware<RequestState, { readonly body: unknown }> {
  return addToState((request) => {
    const { event } = request;
    requireUnicode(event, IN_BATCH_ITEM);
    const text = event.body ?? '';
    // The gateway passes only JSON on byte by byte. In other text it replaces bytes that are not UTF-8 by U+FFFD.
    if (readMediaType(event) !== 'application/json' && text.includes('\uFFFD')) {
      throw createInputError('body', 'unicode', notUnicode);
    }
    const body = parseBody(request);
    return { body: NUMBER_AS_ID.test(text) ? parseWithTextIds(text) : body };
  });
}

/**
 * Parses JSON whose ids can be numbers. The digits of an id come from the source text, because a float can be another
 * number. An id that is negative, has a fraction or is above 2^53 - 1 stays a number, which the validators reject.
 */
function parseWithTextIds(text: string): unknown {
  const toText: SourceReviver = (name, value, { source = '' }) => {
    if (name !== ID_FIELD || !Number.isSafeInteger(value)) return value;
    // Matches 9003 and 9003.0, but not -9003 or 9.003e3.
    return /^(?<digits>\d+)(?:\.0+)?$/.exec(source)?.groups?.['digits'] ?? value;
  };
  // `trimStart` removes a BOM.
  return JSON.parse(text.trimStart(), toText as (name: string, value: unknown) => unknown);
}

// No tenant has this name. After an unknown key, a user of this tenant is looked up, to take the same time.
const NO_TENANT = '-';

export interface LegacyPorts {
  readonly guards: CredentialPorts['guards'];
  readonly directory: CredentialPorts['directory'] & {
    readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
    readonly findLogin: (tenant: string, loginName: string) => Promise<LoginAccount>;
  };
  readonly limiter: RequestLimiter;
  readonly verifyWithProof: ReturnType<typeof createPasswordProofs>;
}

/** Requires the body to contain well-formed credentials. A malformed body counts as a failure of its source. */
export function requireWsAutorizacion(
  guards: Pick<LegacyPorts['guards'], 'beginAttempt'>,
): PortalMiddleware<RequestState & { readonly body: unknown }, LegacyDispatchInput> {
  return addToState(async ({ event: { state } }) => {
    if (validate(state.body)) return { WSAutorizacion: state.body.WSAutorizacion };
    const details = toDetails(validate.errors ?? [], 'body');
    // The service has parsed the body. Therefore a source that sends many malformed bodies is locked out.
    const attempt = await orServiceUnavailable(guards.beginAttempt(state.sourceIp));
    await orServiceUnavailable(attempt.recordFailure());
    throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, {
      reason: 'malformed-authorization',
      details,
    });
  });
}

type CredentialState = RequestState & LegacyDispatchInput & { readonly accessKind: AccessKind };

/** Verifies API key and password under the guards of logins. The request is counted while they record the success. */
export function verifyLegacyCredentials({
  guards,
  directory,
  limiter,
  verifyWithProof,
}: LegacyPorts): PortalMiddleware<CredentialState, Access & Identified> {
  return addToState(async ({ event }) => {
    const { state } = event;
    const { accessKind } = state;
    const { Guid, Usuario, Password } = state.WSAutorizacion;
    const apiKeyHash = hashApiKey(Guid);
    const tenantHeader = readHeader(event, 'tenant')?.toLowerCase();
    const verifyPassword = (password: string, hash: string | null) => verifyWithProof(password, hash, Guid);
    const checked = await verifyCredentials(
      { guards, directory, verifyPassword },
      {
        source: state.sourceIp,
        password: Password,
        apiKeyHash,
        async findAccount() {
          const key = await directory.findApiKey(apiKeyHash);
          state.apiKeyLast4 = key?.last4;
          const isTenantOfKey = tenantHeader === undefined || tenantHeader === key?.tenant;
          return directory.findLogin(key && isTenantOfKey ? key.tenant : NO_TENANT, Usuario);
        },
        log: state,
        matchesSnapshot: ({ apiKey, tenant }) =>
          tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt),
      },
    );
    if (checked.kind === 'invalid') {
      throw new ServiceError('UNAUTHORIZED', texts.wrongCredentials, { reason: 'wrong-credentials' });
    }

    const { snapshot, tenant, user } = checked;
    const { userId, companyId, supplierId } = user;
    const identity = { tenant, userId, companyId, supplierId };
    // This precedes the record of the success, so that the log line names the user if a guard rejects the attempt.
    state.identity = identity;
    const [limit] = await Promise.all([
      countRequest(limiter, accessKind, buildRateLimitSubject(identity, user), state),
      checked.recordSuccess(),
    ]);
    return { accessKind, identity, session: null, snapshot, limit };
  });
}
