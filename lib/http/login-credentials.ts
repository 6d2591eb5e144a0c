import type { LoginInput } from '../contracts/login.ts';
import type { LoginAccount } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import { wrongLogin } from '../domain/texts.ts';
import type { LoginCredentials } from '../endpoints/login.ts';
import { type CredentialPorts, verifyCredentials } from '../services/verify-credentials.ts';
import { addToState, type PortalMiddleware } from './chain.ts';
import type { RequestState } from './request-state.ts';

/** The ports of the check of e-mail and password. */
export interface LoginCredentialPorts extends CredentialPorts {
  readonly directory: CredentialPorts['directory'] & {
    /** Finds the account of an e-mail or username. */
    readonly findLogin: (tenant: string, loginName: string) => Promise<LoginAccount>;
  };
}

/** Requires e-mail and password of an account, under the guards of passwords. An API key in the headers is ignored. */
export function loginCredentials(
  ports: LoginCredentialPorts,
): PortalMiddleware<
  RequestState & { readonly tenant: string; readonly input: LoginInput },
  { readonly credentials: LoginCredentials }
> {
  return addToState(async ({ event: { state } }) => {
    const { tenant, input, sourceIp } = state;
    const checked = await verifyCredentials(ports, {
      source: sourceIp,
      password: input.password,
      apiKeyHash: null,
      findAccount: () => ports.directory.findLogin(tenant, input.email),
      // A login by username counts for its account, but is rejected: only the legacy route accepts usernames.
      matchesSnapshot: ({ user }) => user?.email.toLowerCase() === input.email.toLowerCase(),
      log: state,
    });
    if (checked.kind === 'invalid') {
      state.rate = checked.guard;
      throw new ServiceError('UNAUTHORIZED', wrongLogin, { reason: 'wrong-credentials' });
    }
    const { userId, companyId, supplierId } = checked.user;
    state.identity = { tenant: checked.tenant, userId, companyId, supplierId };
    const recordSuccess = async () => {
      state.rate = await checked.recordSuccess();
    };
    return { credentials: { ...checked, recordSuccess } };
  });
}
