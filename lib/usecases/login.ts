import type { AccessSnapshot, User, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';

/** A login attempt; `source` is the address that it came from. */
export interface LoginRequest {
  readonly tenant: string;
  readonly email: string;
  readonly password: string;
  readonly playerId: string | undefined;
  readonly source: string;
}

/** A place that the guard holds for an attempt while its password is checked; both calls give the failures' status. */
export interface GuardedAttempt<Status> {
  succeed(): Promise<Status>;
  fail(): Promise<Status>;
}

/** What the login needs from its surroundings. */
export interface LoginPorts<Status> {
  /** Admits an attempt of a source, or throws RATE_LIMITED. */
  admit(source: string): Promise<GuardedAttempt<Status>>;
  findLogin(tenant: string, loginName: string): Promise<UserReference | null>;
  readSnapshot(reference: UserReference, apiKeyHash: null): Promise<AccessSnapshot>;
  verifyPassword(password: string, hash: string | null): Promise<boolean>;
  /** Throws COMPANY_SUSPENDED or, for an inactive user, UNAUTHORIZED; returns the user. */
  requireActiveUser(snapshot: AccessSnapshot, now: Date): User;
  addPlayerId(tenant: string, user: User, playerId: string, most: number): Promise<void>;
  signToken(user: UserReference, now: Date): Promise<string>;
}

/** The answer to an attempt that the guard admitted: a token or the reason why there is none, and the guard's status. */
export type LoginResult<Status> = { readonly guard: Status } & (
  { readonly token: string } | { readonly error: ServiceError }
);

const MAX_PLAYER_IDS = 10;

// An unknown login name is looked up and hashed like a known one, so that the time taken does not tell them apart.
const NOBODY = { userId: '0', companyId: '0', supplierId: null };

/** Checks e-mail and password and issues a token; throws RATE_LIMITED when the source is blocked. */
export async function login<Status>(
  ports: LoginPorts<Status>,
  request: LoginRequest,
  now: Date,
): Promise<LoginResult<Status>> {
  const { tenant, email, password, playerId } = request;
  const [attempt, reference] = await whileVerifying(
    Promise.all([ports.admit(request.source), ports.findLogin(tenant, email)]),
  );
  const snapshot = await whileVerifying(ports.readSnapshot(reference ?? { tenant, ...NOBODY }, null));
  const user = snapshot.user?.email.toLowerCase() === email.toLowerCase() ? snapshot.user : null;
  const matches = await ports.verifyPassword(password, user?.passwordHash ?? null);
  if (!user || !matches) {
    const error = new ServiceError('UNAUTHORIZED', 'Invalid email or password.');
    return { guard: await attempt.fail(), error };
  }

  const [guard, outcome] = await Promise.all([attempt.succeed(), issue()]);
  return { guard, ...outcome };

  async function issue(): Promise<{ token: string } | { error: ServiceError }> {
    try {
      const active = ports.requireActiveUser(snapshot, now);
      const { userId, companyId, supplierId } = active;
      const [token] = await Promise.all([
        ports.signToken({ tenant, userId, companyId, supplierId }, now),
        playerId ? ports.addPlayerId(tenant, active, playerId, MAX_PLAYER_IDS) : null,
      ]);
      return { token };
    } catch (error) {
      if (error instanceof ServiceError) return { error };
      throw error;
    }
  }
}
