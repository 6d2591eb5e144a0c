import type { AccessSnapshot, User, UserReference } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import { type CredentialPorts, verifyCredentials } from './verify-credentials.ts';

/** A login attempt; `source` is the address that it came from. */
export interface LoginRequest {
  readonly tenant: string;
  readonly email: string;
  readonly password: string;
  readonly playerId: string | undefined;
  readonly source: string;
}

/** What the login needs from its surroundings. */
export interface LoginPorts<Status> extends CredentialPorts<Status> {
  readonly findLogin: (tenant: string, loginName: string) => Promise<UserReference | null>;
  /** Throws COMPANY_SUSPENDED or, for an inactive user, UNAUTHORIZED; returns the user. */
  readonly requireActiveUser: (snapshot: AccessSnapshot, now: Date) => User;
  readonly addPlayerId: (tenant: string, user: User, playerId: string, most: number) => Promise<void>;
  readonly signToken: (user: UserReference, now: Date) => Promise<string>;
}

/** The answer to an attempt that the guard admitted: a token or the reason why there is none, and the guard's status. */
export type LoginResult<Status> = { readonly guard: Status } & (
  { readonly token: string; readonly user: UserReference } | { readonly error: ServiceError }
);

const MAX_PLAYER_IDS = 10;

/** Checks e-mail and password and issues a token; throws RATE_LIMITED when the source is blocked. */
export async function login<Status>(
  ports: LoginPorts<Status>,
  { tenant, email, password, playerId, source }: LoginRequest,
  now: Date,
): Promise<LoginResult<Status>> {
  const checked = await verifyCredentials(ports, {
    source,
    password,
    apiKeyHash: null,
    findUser: () => ports.findLogin(tenant, email),
    // A username is a login name too, but not an e-mail.
    fit: (_snapshot, user) => user.email.toLowerCase() === email.toLowerCase(),
  });
  if (!checked.right) {
    return { guard: checked.guard, error: new ServiceError('UNAUTHORIZED', 'Invalid email or password.') };
  }
  const [guard, outcome] = await Promise.all([checked.attempt.succeed(), issue(checked.snapshot)]);
  return { guard, ...outcome };

  async function issue(
    snapshot: AccessSnapshot,
  ): Promise<{ token: string; user: UserReference } | { error: ServiceError }> {
    try {
      const found = ports.requireActiveUser(snapshot, now);
      const { userId, companyId, supplierId } = found;
      const user = { tenant, userId, companyId, supplierId };
      const [token] = await Promise.all([
        ports.signToken(user, now),
        playerId ? ports.addPlayerId(tenant, found, playerId, MAX_PLAYER_IDS) : null,
      ]);
      return { token, user };
    } catch (error) {
      if (error instanceof ServiceError) return { error };
      throw error;
    }
  }
}
