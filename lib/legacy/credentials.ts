import { isUsableKey } from '../auth/access-rules.ts';
import { hashApiKey } from '../auth/api-keys.ts';
import type { VerifyWithProof } from '../auth/password-proofs.ts';
import type { LegacyDispatchInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey, ClaimedAccount } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import type { RequestState } from '../endpoints/endpoint.ts';
import { type Access, countRequest, type RequestLimiter } from '../http/access.ts';
import { adding, type After, type PortalMiddleware } from '../http/chain.ts';
import { headerOf } from '../http/headers.ts';
import { toDetails } from '../http/validation-details.ts';
import { type CredentialPorts, verifyCredentials } from '../services/verify-credentials.ts';

// After an unknown key, too, a user is looked up, so that it takes the same time as a known one.
const NO_TENANT = '-';

/** What decides on the credentials of a legacy request. */
export interface LegacyPorts {
  readonly guards: CredentialPorts['guards'];
  readonly directory: CredentialPorts['directory'] & {
    readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
    readonly findLogin: (tenant: string, loginName: string) => Promise<ClaimedAccount>;
  };
  readonly limiter: RequestLimiter;
  readonly verifyWithProof: VerifyWithProof;
}

/** Requires the body to have a WSAutorizacion with all its fields. */
export function wsAutorizacion(
  guards: Pick<LegacyPorts['guards'], 'beginAttempt'>,
): PortalMiddleware<RequestState & { readonly body: unknown }, LegacyDispatchInput> {
  return adding(async ({ event: { state } }) => {
    if (validate(state.body)) return { WSAutorizacion: state.body.WSAutorizacion };
    const details = toDetails(validate.errors ?? [], 'body');
    // The service has parsed its body: a source that repeats this is locked out.
    const attempt = await whileVerifying(guards.beginAttempt(state.sourceIp));
    await whileVerifying(attempt.recordFailure());
    state.loginRefused = 'malformed';
    throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, {
      reason: 'malformed-authorization',
      details,
    });
  });
}

type Authorized = RequestState & LegacyDispatchInput & { readonly accessKind: AccessKind };

/**
 * Requires right credentials, under the guards of passwords; counts the request while it tells them so. There is no
 * session that could have ended: each request brings its password.
 */
export function credentials({
  guards,
  directory,
  limiter,
  verifyWithProof,
}: LegacyPorts): PortalMiddleware<Authorized, Access & After<'openSession'>> {
  return adding<Authorized, Access, After<'openSession'>>(async ({ event }) => {
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
        fit: ({ apiKey, tenant }) => tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt),
      },
    );
    if (checked.kind === 'wrong') {
      state.loginRefused = 'wrong-credentials';
      throw new ServiceError('UNAUTHORIZED', texts.wrongCredentials);
    }

    const { snapshot, tenant } = checked;
    const { userId, companyId, supplierId } = checked.user;
    const identity = { tenant, userId, companyId, supplierId };
    // Before the guards are told: the log line names the user also when they refuse.
    state.identity = identity;
    const [limit] = await Promise.all([countRequest(limiter, accessKind, identity, state), checked.recordSuccess()]);
    return { accessKind, identity, snapshot, limit };
  });
}
