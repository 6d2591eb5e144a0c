import { type Caller, isOwnKey, isUsableKey } from '../auth/access-rules.ts';
import { hashApiKey } from '../auth/api-keys.ts';
import type { VerifyWithProof } from '../auth/password-proofs.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { ApiKey, ClaimedAccount } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { countRequest, type RequestLimiter, requireAccess } from '../http/authorize.ts';
import { headerOf } from '../http/headers.ts';
import { adding, type PortalMiddleware } from '../http/middleware.ts';
import type { RequestState } from '../http/request-state.ts';
import { toDetails } from '../http/validation-details.ts';
import { type CredentialPorts, verifyCredentials } from '../services/verify-credentials.ts';
import type { LegacyNames } from './protocol.ts';

// After an unknown key, too, a user is looked up, so that it takes the same time as a known one.
const NO_TENANT = '-';

/** What decides on a legacy request. */
export interface LegacyPorts {
  readonly guards: CredentialPorts['guards'];
  readonly directory: CredentialPorts['directory'] & {
    readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
    readonly findLogin: (tenant: string, loginName: string) => Promise<ClaimedAccount>;
  };
  readonly limiter: RequestLimiter;
  readonly verifyWithProof: VerifyWithProof;
}

/** What is known of a request before its credentials: the operation that it names, and its body. */
type Addressed = RequestState & { readonly operation: LegacyNames; readonly input: unknown };

/** Requires WSAutorizacion with right credentials, and then what every supplier endpoint requires. */
export function authorizeByBody({
  guards,
  directory,
  limiter,
  verifyWithProof,
}: LegacyPorts): PortalMiddleware<Addressed, { readonly caller: Caller }> {
  return adding(async ({ event }) => {
    const { state } = event;
    const { input } = state;
    const { access } = state.operation.contract;
    if (!validate(input)) {
      // It has made the service parse a body: whoever goes on doing that is blocked.
      const attempt = await whileVerifying(guards.admit(state.sourceIp));
      await whileVerifying(attempt.fail());
      state.loginRefused = 'malformed';
      const details = toDetails(validate.errors ?? [], 'body');
      throw new ServiceError('UNAUTHORIZED', texts.authorizationMalformed, {
        reason: 'malformed-authorization',
        details,
      });
    }
    const { Guid, Usuario, Password } = input.WSAutorizacion;
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
          const account = await directory.findLogin(key && agrees ? key.tenant : NO_TENANT, Usuario);
          return { account, hasKey: isOwnKey(key, account, state.receivedAt) };
        },
        onUser(user) {
          state.claimedUser = user;
        },
        onFailure(failures) {
          state.failuresOfDay = failures;
        },
        fit: ({ apiKey, tenant }) => tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt),
      },
    );
    if (checked.kind === 'wrong') {
      state.loginRefused = 'wrong-credentials';
      throw new ServiceError('UNAUTHORIZED', texts.wrongCredentials);
    }

    const { snapshot, tenant } = checked;
    const { userId, companyId, supplierId } = checked.user;
    state.identity = { tenant, userId, companyId, supplierId };
    const [limit] = await Promise.all([countRequest(limiter, access, { tenant, userId }, state), checked.succeed()]);
    return { caller: requireAccess(snapshot, { tenant, issuedAtSeconds: null }, access, limit, state) };
  });
}
