import { isUsableKey } from '../auth/access-rules.ts';
import { hashApiKey } from '../auth/api-keys.ts';
import type { VerifyWithProof } from '../auth/password-proofs.ts';
import type { LegacyInput } from '../contracts/legacy-dispatch.ts';
import { legacyDispatch as validate } from '../contracts/validators.generated.js';
import type { AccessKind, ApiKey, ClaimedAccount } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import { countRequest, type CountRequest, requireAccess } from '../http/authorize.ts';
import { headerOf } from '../http/headers.ts';
import type { PortalEvent } from '../http/request-state.ts';
import { toDetails } from '../http/validation-details.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';
import { type CredentialPorts, verifyCredentials } from '../services/verify-credentials.ts';

// An unknown key, too, is followed by the look-up of a user, so that the time taken does not tell it apart.
const NO_TENANT = '-';

/** What decides on a legacy request. */
export interface LegacyPorts extends Omit<CredentialPorts<RateStatus>, 'verifyPassword'> {
  readonly verifyWithProof: VerifyWithProof;
  readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
  readonly findLogin: (tenant: string, loginName: string) => Promise<ClaimedAccount>;
  readonly countRequest: CountRequest;
}

/** Requires WSAutorizacion with right credentials, and then what every supplier endpoint requires. */
export async function authorizeByBody(event: PortalEvent, kind: AccessKind, ports: LegacyPorts): Promise<void> {
  const { state } = event;
  if (!validate(state.input)) {
    const details = toDetails(validate.errors ?? [], 'body');
    throw new ServiceError('UNAUTHORIZED', 'WSAutorizacion is malformed.', {
      reason: 'malformed-authorization',
      details,
    });
  }
  const { Guid, Usuario, Password } = (state.input as LegacyInput).WSAutorizacion;
  const apiKeyHash = hashApiKey(Guid);
  const tenantHeader = headerOf(event, 'tenant')?.toLowerCase();
  const verifyPassword = (password: string, hash: string | null) => ports.verifyWithProof(password, hash, Guid);
  const checked = await verifyCredentials(
    { ...ports, verifyPassword },
    {
      source: state.sourceIp,
      password: Password,
      apiKeyHash,
      async findAccount() {
        const key = await ports.findApiKey(apiKeyHash);
        state.apiKeyLast4 = key?.last4;
        const agrees = tenantHeader === undefined || tenantHeader === key?.tenant;
        return ports.findLogin(key && agrees ? key.tenant : NO_TENANT, Usuario);
      },
      onUser(user) {
        state.claimedUser = user;
      },
      fit: ({ apiKey, tenant }) => tenant !== null && isUsableKey(apiKey, tenant.tenant, state.receivedAt),
    },
  );
  if (!checked.right) {
    state.loginRefused = 'wrong-credentials';
    throw new ServiceError('UNAUTHORIZED', 'The credentials are not valid.');
  }

  const { snapshot, tenant } = checked;
  const { userId, companyId, supplierId } = checked.user;
  state.identity = { tenant, userId, companyId, supplierId };
  const [retryAfterSeconds] = await Promise.all([
    countRequest(ports.countRequest, kind, { tenant, userId }, state),
    checked.succeed(),
  ]);
  state.caller = requireAccess(snapshot, { tenant, issuedAtSeconds: null }, kind, retryAfterSeconds, state);
}
