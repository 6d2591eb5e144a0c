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
  rateLimitSubject,
  type RequestLimiter,
} from '../http/check-access.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { headerOf, mediaTypeOf } from '../http/headers.ts';
import { faultOf, toDetails } from '../http/validation-details.ts';
import { type CredentialPorts, verifyCredentials } from '../access/verify-credentials.ts';
import { notUnicode } from '../http/constraint-texts.ts';
import { parseBody, requireUnicode } from '../http/request-text.ts';
import { ID_FIELD } from './protocol.ts';

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

// The items of a batch are validated one by one.
const IN_BATCH_ITEM = /^Declaraciones\[\d+\]\./;
const NUMBER_AS_ID = new RegExp(`"${ID_FIELD}"\\s*:\\s*[-\\d]`);

/** Reads a body as JSON, with any Content-Type; ids that are whole numbers become texts of their digits. */
export function anyBody(): PortalMiddleware<RequestState, { readonly body: unknown }> {
  return addToState((request) => {
    const { event } = request;
    requireUnicode(event, IN_BATCH_ITEM);
    const text = event.body ?? '';
    // The gateway hands on only JSON byte by byte. In other text it has put U+FFFD where the bytes were no UTF-8.
    if (mediaTypeOf(event) !== 'application/json' && text.includes('\uFFFD')) {
      throw faultOf('body', 'unicode', notUnicode);
    }
    const body = parseBody(request);
    return { body: NUMBER_AS_ID.test(text) ? withTextIds(text) : body };
  });
}

/**
 * Parses JSON. The digits of an id are those that were written, because a float may be another number: one that is
 * negative, has a fraction or is above 2^53 - 1 stays a number, which no operation takes for an id.
 */
function withTextIds(text: string): unknown {
  const toText: SourceReviver = (name, value, { source = '' }) => {
    if (name !== ID_FIELD || !Number.isSafeInteger(value)) return value;
    return /^(\d+)(\.0+)?$/.exec(source)?.[1] ?? value;
  };
  // The text can begin with a BOM.
  return JSON.parse(text.trimStart(), toText as (name: string, value: unknown) => unknown);
}

// After an unknown key, too, a user is looked up, so that it takes the same time as a known one.
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

export function wsAutorizacion(
  guards: Pick<LegacyPorts['guards'], 'beginAttempt'>,
): PortalMiddleware<RequestState & { readonly body: unknown }, LegacyDispatchInput> {
  return addToState(async ({ event: { state } }) => {
    if (validate(state.body)) return { WSAutorizacion: state.body.WSAutorizacion };
    const details = toDetails(validate.errors ?? [], 'body');
    // The service has parsed its body: a source that repeats this is locked out.
    const attempt = await orServiceUnavailable(guards.beginAttempt(state.sourceIp));
    await orServiceUnavailable(attempt.recordFailure());
    throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, {
      reason: 'malformed-authorization',
      details,
    });
  });
}

type Authorized = RequestState & LegacyDispatchInput & { readonly accessKind: AccessKind };

/** Requires valid credentials, under the guards of passwords, and counts the request while the guards record the success. */
export function credentials({
  guards,
  directory,
  limiter,
  verifyWithProof,
}: LegacyPorts): PortalMiddleware<Authorized, Access & Identified> {
  return addToState(async ({ event }) => {
    const { state } = event;
    const { accessKind } = state;
    const { Guid, Usuario, Password } = state.WSAutorizacion;
    const apiKeyHash = hashApiKey(Guid);
    const tenantHeader = headerOf(event, 'tenant')?.toLowerCase();
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
          const agrees = tenantHeader === undefined || tenantHeader === key?.tenant;
          return directory.findLogin(key && agrees ? key.tenant : NO_TENANT, Usuario);
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
    // Set before the success is recorded, so that the log line names the user if a guard rejects the attempt.
    state.identity = identity;
    const [limit] = await Promise.all([
      countRequest(limiter, accessKind, rateLimitSubject(identity, user), state),
      checked.recordSuccess(),
    ]);
    return { accessKind, identity, session: null, snapshot, limit };
  });
}
