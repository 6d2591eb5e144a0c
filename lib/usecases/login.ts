import type { AccessSnapshot, User, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
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

/** A token and whose it is; `playerIdFault`: why the player id was not stored. */
export interface IssuedToken {
  readonly token: string;
  readonly user: UserReference;
  readonly playerIdFault?: unknown;
}

/** The answer to an attempt: a token or the reason why there is none, and the guard's status. */
export type LoginResult<Status> = { readonly guard: Status } & (IssuedToken | { readonly error: ServiceError });

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
  const [guard, issued] = await Promise.all([whileVerifying(checked.attempt.succeed()), issue(checked.snapshot)]);
  if ('error' in issued || !playerId) return { guard, ...issued };
  return {
    guard,
    ...issued,
    playerIdFault: await faultOf(ports.addPlayerId(tenant, checked.user, playerId, MAX_PLAYER_IDS)),
  };

  async function issue(snapshot: AccessSnapshot): Promise<IssuedToken | { readonly error: ServiceError }> {
    try {
      const { userId, companyId, supplierId } = ports.requireActiveUser(snapshot, now);
      const user = { tenant, userId, companyId, supplierId };
      return { token: await ports.signToken(user, now), user };
    } catch (error) {
      if (error instanceof ServiceError) return { error };
      throw error;
    }
  }
}

/** Who has logged in is not refused for what comes after it. */
async function faultOf(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
