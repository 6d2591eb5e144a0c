import type { LoginInput } from '../contracts/login.ts';
import type { LoginAccount } from '../domain/directory.ts';
import { type ErrorReason, ServiceError } from '../domain/errors.ts';
import { wrongLogin } from '../domain/texts.ts';
import type { LoginRequest } from '../endpoints/login.ts';
import { LoginBlocked, type LoginGuard } from '../access/login-guard.ts';
import { type CredentialPorts, verifyCredentials } from '../access/verify-credentials.ts';
import { addToState, type After, type LoginRejection, type PortalMiddleware, type RequestState } from './chain.ts';

export interface LoginCredentialPorts extends CredentialPorts {
  readonly directory: CredentialPorts['directory'] & {
    readonly findLogin: (tenant: string, loginName: string) => Promise<LoginAccount>;
  };
}

/** Requires e-mail and password of an account, under the guards of passwords. An API key in the headers is ignored. */
export function loginCredentials(
  ports: LoginCredentialPorts,
): PortalMiddleware<
  RequestState & { readonly tenant: string; readonly input: LoginInput },
  Pick<LoginRequest, 'credentials'>
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

const REJECTIONS: Readonly<Partial<Record<ErrorReason, LoginRejection>>> = {
  'wrong-credentials': 'wrong-credentials',
  'malformed-authorization': 'malformed',
  'blocked-source': 'blocked-source',
  'account-locked': 'account-locked',
};

/**
 * Adds Retry-After to the response of an attempt that a guard rejected, and removes its rate headers. During a lockout
 * a malformed attempt gets this response too. On the login route, the rate headers of a malformed attempt show how many
 * failures the source has left. Writes the reason of a rejection for the log line.
 */
export function loginBlock(
  guard: Pick<LoginGuard, 'getStatus'>,
  route: 'login' | 'legacy',
): PortalMiddleware<RequestState & After<'unexpectedErrors'>> {
  return {
    async onError(request) {
      const { state } = request.event;
      if (!(request.error instanceof ServiceError)) return;
      let error: ServiceError = request.error;
      // Only a malformed attempt, whose source has not been checked, needs this read.
      if (isMalformed(error, state)) {
        try {
          const status = await guard.getStatus(state.sourceIp);
          if (route === 'login') state.rate = status;
        } catch (failure) {
          // If the guard cannot be read, the attempt gets its own error, which reveals nothing about a password.
          if (failure instanceof LoginBlocked) request.error = error = failure;
          else state.logger.warn('The login guard could not be read.', { error: failure });
        }
      }
      const rejection = findRejection(error, route, state);
      if (rejection) state.loginRejection = rejection;
      if (!(error instanceof LoginBlocked)) return;
      state.rate = null;
      state.retryAfterSeconds = error.retryAfterSeconds;
    },
  };
}

/** True if an attempt was rejected for its form, before its credentials were checked. */
function isMalformed({ code, reason }: ServiceError, { identity }: RequestState): boolean {
  return !identity && reason === undefined && ['VALIDATION_ERROR', 'UNAUTHORIZED'].includes(code);
}

function findRejection(
  { code, reason }: ServiceError,
  route: 'login' | 'legacy',
  { identity }: RequestState,
): LoginRejection | undefined {
  const isNotAllowed = route === 'login' && identity && ['UNAUTHORIZED', 'COMPANY_SUSPENDED'].includes(code);
  return (reason && REJECTIONS[reason]) ?? (isNotAllowed ? 'not-allowed' : undefined);
}
