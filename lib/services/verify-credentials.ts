import type { AccessSnapshot, ClaimedAccount, User, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import type { AdmitToAccount } from '../rate-limit/account-guard.ts';
import type { LoginGuard } from '../rate-limit/login-guard.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';

/** The guards of passwords, of sources and of accounts: each admits an attempt or throws RATE_LIMITED. */
export interface CredentialGuards extends LoginGuard {
  readonly admitToAccount: AdmitToAccount;
}

/** What the check of a password needs from its surroundings. */
export interface CredentialPorts {
  readonly guards: CredentialGuards;
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
}

/** An account, and whether the credentials that name it hold a valid API key of its company. */
export interface FoundAccount {
  readonly account: ClaimedAccount;
  readonly hasKey: boolean;
}

/** How many failures a source and an account have had in a day; of an account 0 when none was counted. */
export interface FailuresOfDay {
  readonly source: number;
  readonly account: number;
}

/** What the log tells of an attempt; it is filled in while the attempt is checked, also when that fails. */
export interface AttemptLog {
  /** Whose account it is, when there is one. */
  claimedUser?: UserReference;
  /** How many failures there are, when one was counted. */
  failuresOfDay?: FailuresOfDay;
}

/** Credentials to check; `source` is the address that they came from. */
export interface Credentials {
  readonly source: string;
  readonly password: string;
  readonly apiKeyHash: string | null;
  /** Finds the account that the credentials name. */
  readonly findAccount: () => Promise<FoundAccount>;
  /** Whether the other credentials fit what the directory holds of the account. */
  readonly fit: (snapshot: AccessSnapshot) => boolean;
  readonly log: AttemptLog;
}

/** Right credentials; the guards are told of them by `succeed`. */
export interface RightCredentials {
  readonly kind: 'right';
  readonly user: User;
  readonly tenant: string;
  readonly snapshot: AccessSnapshot;
  /** From when on tokens for these credentials are valid, in Unix milliseconds. */
  readonly tokensFromMs: number;
  /** Tells the guards; it is called before the caller is told anything. */
  readonly succeed: () => Promise<RateStatus>;
}

/** Right credentials, or wrong ones, which the guards have counted. */
export type CheckedCredentials = RightCredentials | { readonly kind: 'wrong'; readonly guard: RateStatus };

// An unknown user is looked up and hashed like a known one, so that both take the same time.
const NOBODY: UserReference = { tenant: '-', userId: '0', companyId: '0', supplierId: null };

/** Checks credentials under the guards; throws RATE_LIMITED when they do not admit the attempt. */
export async function verifyCredentials(
  { guards, directory, verifyPassword }: CredentialPorts,
  { source, password, apiKeyHash, findAccount, fit, log }: Credentials,
): Promise<CheckedCredentials> {
  // A refusal waits for the look-up too: the log line says whose account it was.
  const [admitted, found] = await Promise.allSettled([guards.admit(source), lookUp()]);
  const ofSource = await whileVerifying(valueOf(admitted));
  const { account, hasKey } = await whileVerifying(valueOf(found));

  const claimed = account.user ?? NOBODY;
  const [snapshot, ofAccount] = await whileVerifying(
    Promise.all([directory.readSnapshot(claimed, apiKeyHash), guards.admitToAccount(account, { source, hasKey })]),
  ).catch(countRefusal);
  const user = snapshot.user && fit(snapshot) ? snapshot.user : null;
  const matches = await verifyPassword(password, user ? ofAccount.passwordHash : null);
  if (user && matches) {
    // They differ when sessions ended between the two reads: the older one makes a token that has ended too.
    const tokensFromMs = Math.min(user.tokensFromMs, ofAccount.tokensFromMs);
    return { kind: 'right', user, tenant: claimed.tenant, snapshot, tokensFromMs, succeed };
  }
  // One after the other: a failure that the source is not told of is not counted for the account.
  const guard = await whileVerifying(ofSource.fail());
  const failures = await whileVerifying(ofAccount.fail());
  log.failuresOfDay = { source: guard.failuresToday, account: account.user ? failures : 0 };
  return { kind: 'wrong', guard };

  async function lookUp(): Promise<FoundAccount> {
    const claim = await findAccount();
    if (claim.account.user) log.claimedUser = claim.account.user;
    return claim;
  }

  /** Else a source could ask without a pause until the account lets somebody in again, and be the first. */
  async function countRefusal(error: unknown): Promise<never> {
    if (error instanceof ServiceError && error.reason === 'spent-account') {
      const { failuresToday } = await whileVerifying(ofSource.fail());
      log.failuresOfDay = { source: failuresToday, account: 0 };
    }
    throw error;
  }

  async function succeed(): Promise<RateStatus> {
    const [status] = await whileVerifying(Promise.all([ofSource.succeed(), ofAccount.succeed()]));
    return status;
  }
}

async function valueOf<Value>(result: PromiseSettledResult<Value>): Promise<Value> {
  if (result.status === 'rejected') throw result.reason as Error;
  return result.value;
}
