import type { LoginInput } from '../contracts/login.ts';
import { foldLoginName, type LoginAccount } from '../domain/directory.ts';
import { type ErrorReason, ServiceError } from '../domain/errors.ts';
import { wrongLogin } from '../domain/texts.ts';
import type { LoginRequest } from '../endpoints/login.ts';
import { LoginBlockedError, type LoginGuard } from '../access/login-guard.ts';
import { type CredentialPorts, verifyCredentials } from '../access/verify-credentials.ts';
import { addToState, type LoginRejection, type PortalMiddleware, type RequestState } from './chain.ts';

export interface LoginCredentialPorts extends CredentialPorts {
  readonly directory: CredentialPorts['directory'] & {
    readonly findLogin: (tenant: string, loginName: string) => Promise<LoginAccount>;
  };
}

/** Verifies the e-mail and the password, and applies both guards. An API key in the headers is ignored. */
export function verifyLoginCredentials(
  ports: LoginCredentialPorts,
): PortalMiddleware<
  RequestState & { readonly tenant: string; readonly input: LoginInput },
  Pick<LoginRequest, 'credentials'>
> {
  return addToState(async ({ event: { state } }) => {
    const { tenant, input, source } = state;
    const result = await verifyCredentials(ports, {
      source,
      password: input.password,
      apiKeyHash: null,
      findAccount: () => ports.directory.findLogin(tenant, input.email),
      // Only the legacy route accepts a username. Here, an attempt with a username is a failure of its account.
      matchesSnapshot: ({ user }) => user !== null && foldLoginName(user.email) === foldLoginName(input.email),
      log: state,
    });
    if (result.kind === 'invalid') {
      state.rate = result.rate;
      throw new ServiceError('UNAUTHORIZED', wrongLogin, { reason: 'wrong-credentials' });
    }
    const { userId, companyId, supplierId } = result.user;
    state.identity = { tenant: result.tenant, userId, companyId, supplierId };
    const recordSuccess = async () => {
      state.rate = await result.recordSuccess();
    };
    return { credentials: { ...result, recordSuccess } };
  });
}

type Route = 'login' | 'legacy';
type StatusReader = Pick<LoginGuard, 'getStatus'>;

const REJECTIONS: Readonly<Partial<Record<ErrorReason, LoginRejection>>> = {
  'wrong-credentials': 'wrong-credentials',
  'malformed-authorization': 'malformed',
  'blocked-source': 'blocked-source',
  'account-locked': 'account-locked',
  'account-locked-for-source': 'account-locked',
};

/**
 * Adds Retry-After to the response of an attempt that a guard rejected, and removes its rate headers. During a lockout,
 * a malformed attempt gets the same response. On the login route, the rate headers of any other malformed attempt show
 * how many failures the source has left. The reason of a rejection is added to the state for the log line.
 */
export function handleLoginRejections(guard: StatusReader, route: Route): PortalMiddleware {
  return {
    async onError(request) {
      const { state } = request.event;
      if (!(request.error instanceof ServiceError)) return;
      // The source of a malformed attempt has not been checked yet.
      const lockout = isMalformed(request.error, state) ? await findLockout(guard, route, state) : null;
      const error: ServiceError = lockout ?? request.error;
      request.error = error;
      const rejection = findRejection(error, route, state);
      if (rejection) state.loginRejection = rejection;
      if (!(error instanceof LoginBlockedError)) return;
      state.rate = null;
      state.retryAfterSeconds = error.retryAfterSeconds;
    },
  };
}

/** Finds the lockout of a source; null if it is not locked out. Sets the rate headers of the login route. */
async function findLockout(guard: StatusReader, route: Route, state: RequestState): Promise<LoginBlockedError | null> {
  try {
    const status = await guard.getStatus(state.source);
    if (route === 'login') state.rate = status;
  } catch (error) {
    if (error instanceof LoginBlockedError) return error;
    // If the guard cannot be read, the attempt gets its own error, which reveals nothing about a password.
    state.logger.warn('The login guard could not be read.', { error });
  }
  return null;
}

/** True if an attempt was rejected because of its form, before its credentials were checked. */
function isMalformed({ code, reason }: ServiceError, { identity }: RequestState): boolean {
  return !identity && reason === undefined && ['VALIDATION_ERROR', 'UNAUTHORIZED'].includes(code);
}

function findRejection({ code, reason }: ServiceError, route: Route, { identity }: RequestState) {
  const rejection = reason && REJECTIONS[reason];
  if (rejection) return rejection;
  // The identity is set only after the password has been verified. Therefore the password was valid.
  const isNotAllowed = route === 'login' && identity && ['UNAUTHORIZED', 'COMPANY_SUSPENDED'].includes(code);
  return isNotAllowed ? 'not-allowed' : undefined;
}
