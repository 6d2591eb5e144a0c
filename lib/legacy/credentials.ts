import { hashApiKey, isUsableKey } from '../access/access-rules.ts';
import type { createPasswordProofs } from '../access/passwords.ts';
import type { LegacyDispatchInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey, LoginAccount } from '../domain/directory.ts';
import { ServiceError, orServiceUnavailable } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { type Access, countRequest, type Identified, rateLimitSubject, type RequestLimiter } from '../http/access.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { headerOf } from '../http/headers.ts';
import { toDetails } from '../http/validation-details.ts';
import { type CredentialPorts, verifyCredentials } from '../access/verify-credentials.ts';

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
