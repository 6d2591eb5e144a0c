import type { AccessSnapshot, ClaimedAccount, User, UserReference } from '../domain/directory.ts';
import { whileVerifying } from '../domain/errors.ts';

/** An attempt that a guard has admitted: it is asked again before the outcome is told. Both calls throw RATE_LIMITED when the outcome must not be told. */
export interface GuardedAttempt<Status> {
  succeed(): Promise<Status>;
  fail(): Promise<Status>;
}

/** What the check of a password needs from its surroundings. */
export interface CredentialPorts<Status> {
  /** Admits an attempt of a source, or throws RATE_LIMITED. */
  readonly admit: (source: string) => Promise<GuardedAttempt<Status>>;
  /** Admits an attempt on an account, or throws RATE_LIMITED. */
  readonly admitToAccount: (
    account: ClaimedAccount,
    source: string,
  ) => Promise<GuardedAttempt<void> & { readonly passwordHash: string | null; readonly tokensFromMs: number }>;
  readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  readonly verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
}

/** Credentials to check: `source` is the address that they came from. */
export interface Credentials {
  readonly source: string;
  readonly password: string;
  readonly apiKeyHash: string | null;
  /** Finds the account whose they are said to be. */
  readonly findAccount: () => Promise<ClaimedAccount>;
  /** Says whether the rest of the credentials fits what is known of that account. */
  readonly fit: (snapshot: AccessSnapshot) => boolean;
  /** Hears whose account it is, when there is one, whatever becomes of the attempt. */
  readonly onUser: (user: UserReference) => void;
}

/** Right credentials, of which the guards are still to be told; or wrong ones, already counted. */
export type CheckedCredentials<Status> =
  | {
      readonly right: true;
      readonly user: User;
      readonly tenant: string;
      readonly snapshot: AccessSnapshot;
      /** From when on tokens for these credentials are valid, in Unix milliseconds. */
      readonly tokensFromMs: number;
      /** Tells the guards, before the outcome is told. */
      readonly succeed: () => Promise<Status>;
    }
  | { readonly right: false; readonly guard: Status };

// An unknown user is looked up and hashed like a known one, so that the time taken does not tell them apart.
const NOBODY: UserReference = { tenant: '-', userId: '0', companyId: '0', supplierId: null };

/** Checks credentials under the guards; throws RATE_LIMITED when the source is blocked or the failures of the account are used up. */
export async function verifyCredentials<Status>(
  ports: CredentialPorts<Status>,
  { source, password, apiKeyHash, findAccount, fit, onUser }: Credentials,
): Promise<CheckedCredentials<Status>> {
  // A refusal waits for the look-up too, which tells the log whose account it was.
  const [admitted, found] = await Promise.allSettled([ports.admit(source), lookUp()]);
  const ofSource = await whileVerifying(settled(admitted));
  const account = await whileVerifying(settled(found));

  const claimed = account.user ?? NOBODY;
  const [snapshot, ofAccount] = await whileVerifying(
    Promise.all([ports.readSnapshot(claimed, apiKeyHash), ports.admitToAccount(account, source)]),
  );
  const user = snapshot.user && fit(snapshot) ? snapshot.user : null;
  const matches = await ports.verifyPassword(password, user ? ofAccount.passwordHash : null);
  if (user && matches) {
    // They differ when sessions ended between the two reads: then one of them is out of date, and so is its token to be.
    const tokensFromMs = Math.min(user.tokensFromMs, ofAccount.tokensFromMs);
    return { right: true, user, tenant: claimed.tenant, snapshot, tokensFromMs, succeed };
  }
  // One after the other: what its source is not told does not use up the failures of an account.
  const guard = await whileVerifying(ofSource.fail());
  await whileVerifying(ofAccount.fail());
  return { right: false, guard };

  async function lookUp(): Promise<ClaimedAccount> {
    const claim = await findAccount();
    if (claim.user) onUser(claim.user);
    return claim;
  }

  async function succeed(): Promise<Status> {
    const [status] = await whileVerifying(Promise.all([ofSource.succeed(), ofAccount.succeed()]));
    return status;
  }
}

async function settled<Value>(result: PromiseSettledResult<Value>): Promise<Value> {
  if (result.status === 'rejected') throw result.reason as Error;
  return result.value;
}
