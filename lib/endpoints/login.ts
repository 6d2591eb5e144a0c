import type { AccessSnapshot, ClaimedAccount, User, UserReference } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import { timeOfIssue } from '../domain/sessions.ts';
import { type CredentialPorts, verifyCredentials } from '../services/verify-credentials.ts';

/** A login attempt; `source` is the address that it came from. */
export interface LoginRequest {
  readonly tenant: string;
  readonly email: string;
  readonly password: string;
  readonly playerId: string | undefined;
  readonly source: string;
  /** Hears whose account is tried, when there is one. */
  readonly onUser: (user: UserReference) => void;
}

/** What the login needs from its surroundings. */
export interface LoginPorts<Status> extends CredentialPorts<Status> {
  /** The account of an e-mail; a username is a login name too, but not here. */
  readonly findEmail: (tenant: string, email: string) => Promise<ClaimedAccount>;
  /** Throws COMPANY_SUSPENDED or, for an inactive user, UNAUTHORIZED; returns the user. */
  readonly requireActiveUser: (snapshot: AccessSnapshot, now: Date) => User;
  readonly addPlayerId: (tenant: string, user: User, playerId: string, most: number) => Promise<void>;
  readonly signToken: (user: UserReference, timeOfIssue: Date) => Promise<string>;
}

/** A token and whose it is; `playerIdFault`: why the player id was not stored. */
export interface IssuedToken {
  readonly token: string;
  readonly user: UserReference;
  readonly playerIdFault?: unknown;
}

/** Why there is no token; `wrong`: the credentials were, else they were right and the user is not let in. */
export interface NoToken {
  readonly wrong: boolean;
  readonly error: ServiceError;
}

/** The answer to an attempt: a token or the reason why there is none, and the guard's status. */
export type LoginResult<Status> = { readonly guard: Status } & (IssuedToken | NoToken);

const MAX_PLAYER_IDS = 10;

/** Checks e-mail and password and issues a token; throws RATE_LIMITED when the source is blocked or the failures of the account are used up. */
export async function login<Status>(
  ports: LoginPorts<Status>,
  { tenant, email, password, playerId, source, onUser }: LoginRequest,
  now: Date,
): Promise<LoginResult<Status>> {
  const checked = await verifyCredentials(ports, {
    source,
    password,
    apiKeyHash: null,
    findAccount: () => ports.findEmail(tenant, email),
    fit: () => true,
    onUser,
  });
  if (!checked.right) {
    const error = new ServiceError('UNAUTHORIZED', 'Invalid email or password.');
    return { guard: checked.guard, wrong: true, error };
  }
  const [guard, issued] = await Promise.all([checked.succeed(), issue(checked)]);
  if ('error' in issued || !playerId) return { guard, ...issued };
  return {
    guard,
    ...issued,
    playerIdFault: await faultOf(ports.addPlayerId(tenant, checked.user, playerId, MAX_PLAYER_IDS)),
  };

  async function issue(right: {
    readonly snapshot: AccessSnapshot;
    readonly tokensFromMs: number;
  }): Promise<IssuedToken | NoToken> {
    try {
      const { userId, companyId, supplierId } = ports.requireActiveUser(right.snapshot, now);
      const user = { tenant, userId, companyId, supplierId };
      return { token: await ports.signToken(user, timeOfIssue(now, right.tokensFromMs)), user };
    } catch (error) {
      if (error instanceof ServiceError) return { wrong: false, error };
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
