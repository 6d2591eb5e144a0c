import type { AccessSnapshot, LoginAccount, User, UserReference } from '../domain/directory.ts';
import { ServiceError, orServiceUnavailable } from '../domain/errors.ts';
import type { BeginAccountAttempt } from './account-guard.ts';
import type { LoginGuard } from './login-guard.ts';
import type { RateStatus } from '../domain/policies.ts';

export interface CredentialPorts {
  /** The guards of sources and of accounts. They throw RATE_LIMITED for an attempt that they reject. */
  readonly guards: LoginGuard & { readonly beginAccountAttempt: BeginAccountAttempt };
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
}

/** The fields of the log line that the check fills in, even if it then fails. */
export interface AttemptLog {
  /** The user of the account, if it exists. */
  attemptedUser?: UserReference;
  /** Failures of the source on this day (UTC), and of the account in the current window; 0 if there is no account. */
  failureCounts?: { readonly source: number; readonly account: number };
}

/** The credentials to check. `source` is the address that sent them. */
export interface Credentials {
  readonly source: string;
  readonly password: string;
  /** The hash of the API key to read with the snapshot; null if the route needs no key. */
  readonly apiKeyHash: string | null;
  readonly findAccount: () => Promise<LoginAccount>;
  /** True if the other credentials of the route are valid in the snapshot. */
  readonly matchesSnapshot: (snapshot: AccessSnapshot) => boolean;
  readonly log: AttemptLog;
}

export interface ValidCredentials {
  readonly kind: 'valid';
  readonly user: User;
  readonly tenant: string;
  readonly snapshot: AccessSnapshot;
  readonly tokensNotBeforeMs: number;
  /** Records the success in both guards. The caller must await this function before it responds. */
  readonly recordSuccess: () => Promise<RateStatus>;
}

// The records of this user do not exist. An attempt with an unknown login name reads them, to take the same time.
const UNKNOWN_USER: UserReference = { tenant: '-', userId: '0', companyId: '0', supplierId: null };

/** Verifies credentials, and records a failure in the guards; throws RATE_LIMITED if a guard rejects the attempt. */
export async function verifyCredentials(
  { guards, directory, verifyPassword }: CredentialPorts,
  credentials: Credentials,
): Promise<ValidCredentials | { readonly kind: 'invalid'; readonly rate: RateStatus }> {
  const { source, password, apiKeyHash, matchesSnapshot, log } = credentials;
  const { sourceAttempt, account } = await beginSourceAttempt(guards, credentials);
  const attempted = account.user ?? UNKNOWN_USER;
  const [snapshot, accountAttempt] = await orServiceUnavailable(
    Promise.all([directory.readSnapshot(attempted, apiKeyHash), guards.beginAccountAttempt(account, source)]),
  ).catch(countRejection);
  const user = snapshot.user && matchesSnapshot(snapshot) ? snapshot.user : null;
  // The password is checked also without a user. Otherwise, a faster response would reveal that there is no user.
  const isPasswordValid = await verifyPassword(password, user ? accountAttempt.passwordHash : null);
  if (user && isPasswordValid) {
    // The cutoffs differ if sessions were ended between the two reads. The new token then gets the older cutoff, so
    // that it is revoked like the ended sessions.
    const tokensNotBeforeMs = Math.min(user.tokensNotBeforeMs, accountAttempt.tokensNotBeforeMs);
    return { kind: 'valid', user, tenant: attempted.tenant, snapshot, tokensNotBeforeMs, recordSuccess };
  }
  // The source guard is first: if it rejects the failure, the account must not count the failure.
  const sourceFailure = await orServiceUnavailable(sourceAttempt.recordFailure());
  const accountFailures = await orServiceUnavailable(accountAttempt.recordFailure());
  log.failureCounts = { source: sourceFailure.failuresToday, account: account.user ? accountFailures : 0 };
  return { kind: 'invalid', rate: sourceFailure };

  /**
   * Counts an attempt on an account that its source has locked as a failure of the source, so that repeated attempts
   * lock the source out. If other sources have locked the account, the users of this source must not be locked out.
   */
  async function countRejection(error: unknown): Promise<never> {
    if (error instanceof ServiceError && error.reason === 'account-locked-for-source') {
      const { failuresToday } = await orServiceUnavailable(sourceAttempt.recordFailure());
      log.failureCounts = { source: failuresToday, account: 0 };
    }
    throw error;
  }

  async function recordSuccess(): Promise<RateStatus> {
    const [status] = await orServiceUnavailable(
      Promise.all([sourceAttempt.recordSuccess(), accountAttempt.recordSuccess()]),
    );
    return status;
  }
}

/** Begins the attempt of the source, and finds the account at the same time. */
async function beginSourceAttempt(guards: LoginGuard, { source, findAccount, log }: Credentials) {
  // Even if the guard rejects the source, the account is awaited, so that the log line contains its user.
  const [beginResult, accountResult] = await Promise.allSettled([guards.beginAttempt(source), findAccount()]);
  if (accountResult.status === 'fulfilled' && accountResult.value.user) log.attemptedUser = accountResult.value.user;
  const sourceAttempt = await orServiceUnavailable(unwrapResult(beginResult));
  const account = await orServiceUnavailable(unwrapResult(accountResult));
  return { sourceAttempt, account };
}

/** Returns the value of a settled promise, or throws its error. */
async function unwrapResult<Value>(result: PromiseSettledResult<Value>): Promise<Value> {
  if (result.status === 'rejected') throw result.reason as Error;
  return result.value;
}
