import type { AccessSnapshot, User, UserReference } from '../domain/directory.ts';
import { whileVerifying } from '../domain/errors.ts';

/** An attempt that the guard has admitted: it is asked again before the outcome is told. Both calls give the failures' status, or throw RATE_LIMITED. */
export interface GuardedAttempt<Status> {
  succeed(): Promise<Status>;
  fail(): Promise<Status>;
}

/** What the check of a password needs from its surroundings. */
export interface CredentialPorts<Status> {
  /** Admits an attempt of a source, or throws RATE_LIMITED. */
  readonly admit: (source: string) => Promise<GuardedAttempt<Status>>;
  readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  readonly verifyPassword: (password: string, hash: string | null) => Promise<boolean>;
}

/** Credentials to check: `source` is the address that they came from. */
export interface Credentials {
  readonly source: string;
  readonly password: string;
  readonly apiKeyHash: string | null;
  /** Finds the user whose they are said to be. */
  readonly findUser: () => Promise<UserReference | null>;
  /** Says whether the rest of the credentials fits what is known of that user. */
  readonly fit: (snapshot: AccessSnapshot, user: User) => boolean;
}

/** Right credentials, of which the guard is still to be told; or wrong ones, already counted. */
export type CheckedCredentials<Status> =
  | {
      readonly right: true;
      readonly user: User;
      readonly tenant: string;
      readonly snapshot: AccessSnapshot;
      readonly attempt: GuardedAttempt<Status>;
    }
  | { readonly right: false; readonly guard: Status };

// An unknown user is looked up and hashed like a known one, so that the time taken does not tell them apart.
const NOBODY: UserReference = { tenant: '-', userId: '0', companyId: '0', supplierId: null };

/** Checks credentials under the login guard; throws RATE_LIMITED when the source is blocked. */
export async function verifyCredentials<Status>(
  ports: CredentialPorts<Status>,
  { source, password, apiKeyHash, findUser, fit }: Credentials,
): Promise<CheckedCredentials<Status>> {
  const lookUp = whileVerifying(findUser());
  // Waited for below; but a source that is not admitted does not wait for it.
  lookUp.catch(() => undefined);
  const attempt = await whileVerifying(ports.admit(source));
  const claimed = (await lookUp) ?? NOBODY;
  const snapshot = await whileVerifying(ports.readSnapshot(claimed, apiKeyHash));
  const user = snapshot.user && fit(snapshot, snapshot.user) ? snapshot.user : null;
  const matches = await ports.verifyPassword(password, user?.passwordHash ?? null);
  if (user && matches) return { right: true, user, tenant: claimed.tenant, snapshot, attempt };
  return { right: false, guard: await whileVerifying(attempt.fail()) };
}
