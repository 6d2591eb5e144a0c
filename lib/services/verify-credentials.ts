import type { AccessSnapshot, ClaimedAccount, User, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import type { BeginAccountAttempt } from '../rate-limit/account-guard.ts';
import type { LoginGuard } from '../rate-limit/login-guard.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';

/** The guards of sources and of accounts; they throw RATE_LIMITED for an attempt that they reject. */
export interface CredentialGuards extends LoginGuard {
  readonly beginAccountAttempt: BeginAccountAttempt;
}

/** What the check of a password needs from its surroundings. */
export interface CredentialPorts {
  readonly guards: CredentialGuards;
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
}

/** The number of failures after one was counted. */
export interface FailureCounts {
  /** Of the source, on this day (UTC). */
  readonly source: number;
  /** Of the account, in the current window; 0 if there is no account. */
  readonly account: number;
}

/** The fields of the log line that the check fills in, even if it then fails. */
export interface AttemptLog {
  /** The user of the account, if it exists. */
  claimedUser?: UserReference;
  failureCounts?: FailureCounts;
}

/** Credentials to check; `source` is the address that sent them. */
export interface Credentials {
  readonly source: string;
  readonly password: string;
  readonly apiKeyHash: string | null;
  /** Finds the account of the login name. */
  readonly findAccount: () => Promise<ClaimedAccount>;
  /** Whether the other credentials fit what the directory holds of the account. */
  readonly fit: (snapshot: AccessSnapshot) => boolean;
  readonly log: AttemptLog;
}

/** Right credentials, whose success is not recorded yet. */
export interface RightCredentials {
  readonly kind: 'right';
  readonly user: User;
  readonly tenant: string;
  readonly snapshot: AccessSnapshot;
  /** From when on tokens for these credentials are valid, in Unix milliseconds. */
  readonly tokensFromMs: number;
  /** Records the success in both guards; the caller calls it before it responds. */
  readonly recordSuccess: () => Promise<RateStatus>;
}

/** The result of the check; the guards have counted wrong credentials. */
export type CheckedCredentials = RightCredentials | { readonly kind: 'wrong'; readonly guard: RateStatus };

// An unknown user is looked up and hashed like a known one, so that both take the same time.
const NOBODY: UserReference = { tenant: '-', userId: '0', companyId: '0', supplierId: null };

/** Checks credentials under the guards; throws RATE_LIMITED if a guard rejects the attempt. */
export async function verifyCredentials(
  { guards, directory, verifyPassword }: CredentialPorts,
  { source, password, apiKeyHash, findAccount, fit, log }: Credentials,
): Promise<CheckedCredentials> {
  // A rejection waits for the account too, so that the log line names it.
  const [begun, found] = await Promise.allSettled([guards.beginAttempt(source), findAccount()]);
  if (found.status === 'fulfilled' && found.value.user) log.claimedUser = found.value.user;
  const sourceAttempt = await whileVerifying(valueOf(begun));
  const account = await whileVerifying(valueOf(found));

  const claimed = account.user ?? NOBODY;
  const [snapshot, accountAttempt] = await whileVerifying(
    Promise.all([directory.readSnapshot(claimed, apiKeyHash), guards.beginAccountAttempt(account, source)]),
  ).catch(countRejection);
  const user = snapshot.user && fit(snapshot) ? snapshot.user : null;
  const matches = await verifyPassword(password, user ? accountAttempt.passwordHash : null);
  if (user && matches) {
    // They differ when sessions ended between the two reads: the older one makes a token that has ended too.
    const tokensFromMs = Math.min(user.tokensFromMs, accountAttempt.tokensFromMs);
    return { kind: 'right', user, tenant: claimed.tenant, snapshot, tokensFromMs, recordSuccess };
  }
  // In this order: a failure that the source guard rejects uses no slot of the account.
  const guard = await whileVerifying(sourceAttempt.recordFailure());
  const failures = await whileVerifying(accountAttempt.recordFailure());
  log.failureCounts = { source: guard.failuresToday, account: account.user ? failures : 0 };
  return { kind: 'wrong', guard };

  /** Counts an attempt on a locked account as a failure of its source, so that a source that repeats it is locked out. */
  async function countRejection(error: unknown): Promise<never> {
    if (error instanceof ServiceError && error.reason === 'account-locked') {
      const { failuresToday } = await whileVerifying(sourceAttempt.recordFailure());
      log.failureCounts = { source: failuresToday, account: 0 };
    }
    throw error;
  }

  async function recordSuccess(): Promise<RateStatus> {
    const [status] = await whileVerifying(Promise.all([sourceAttempt.recordSuccess(), accountAttempt.recordSuccess()]));
    return status;
  }
}

async function valueOf<Value>(result: PromiseSettledResult<Value>): Promise<Value> {
  if (result.status === 'rejected') throw result.reason as Error;
  return result.value;
}
