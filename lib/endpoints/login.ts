import { requireActiveUser } from '../auth/access-rules.ts';
import type { TokenUser } from '../auth/tokens.ts';
import type { LoginInput } from '../contracts/login.ts';
import type { ClaimedAccount, User } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import { timeOfIssue } from '../domain/sessions.ts';
import { wrongLogin } from '../domain/texts.ts';
import { type CredentialPorts, type RightCredentials, verifyCredentials } from '../services/verify-credentials.ts';
import type { RequestState, Success } from './endpoint.ts';

/** A request that needs no token, with its tenant and its valid input. An API key in its headers is ignored. */
export interface LoginRequest extends RequestState {
  readonly tenant: string;
  readonly input: LoginInput;
}

/** What the login needs from its surroundings. */
export interface LoginPorts extends CredentialPorts {
  readonly directory: CredentialPorts['directory'] & {
    /** The account of an e-mail or username. */
    readonly findLogin: (tenant: string, loginName: string) => Promise<ClaimedAccount>;
    readonly addPlayerId: (tenant: string, user: User, playerId: string, most: number) => Promise<void>;
  };
  readonly signToken: (user: TokenUser, timeOfIssue: Date) => Promise<string>;
}

const MAX_PLAYER_IDS = 10;

/** Checks e-mail and password and issues a token; throws RATE_LIMITED if a guard rejects the attempt. */
export function login(ports: LoginPorts): (request: LoginRequest) => Promise<Success> {
  return async (request) => {
    const { tenant, input, sourceIp } = request;
    const checked = await verifyCredentials(ports, {
      source: sourceIp,
      password: input.password,
      apiKeyHash: null,
      findAccount: () => ports.directory.findLogin(tenant, input.email),
      // A login by username counts for its account, but is rejected: only the legacy route accepts usernames.
      fit: ({ user }) => user?.email.toLowerCase() === input.email.toLowerCase(),
      log: request,
    });
    if (checked.kind === 'wrong') {
      request.rate = checked.guard;
      request.loginRefused = 'wrong-credentials';
      throw new ServiceError('UNAUTHORIZED', wrongLogin);
    }
    const { userId, companyId, supplierId } = checked.user;
    const identity = { tenant: checked.tenant, userId, companyId, supplierId };
    const [guard, issued] = await Promise.all([
      checked.recordSuccess(),
      issueToken(ports, checked, { ...identity, permissions: checked.user.permissions }, request.receivedAt).catch(
        refusalOf,
      ),
    ]);
    request.rate = guard;
    if (issued instanceof ServiceError) {
      if (issued.code !== 'SERVICE_UNAVAILABLE') request.loginRefused = 'not-allowed';
      throw issued;
    }
    if (input.playerid) await keepPlayerId(ports, request, checked.user, input.playerid);
    request.identity = identity;
    return { data: { authorization: issued } };
  };
}

async function issueToken(
  { signToken }: LoginPorts,
  { snapshot, tokensFromMs }: RightCredentials,
  user: TokenUser,
  now: Date,
): Promise<string> {
  requireActiveUser(snapshot, now);
  return signToken(user, timeOfIssue(now, tokensFromMs));
}

/** A refused user is not thrown but returned: the guards are told first that the password was right. */
function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** Adds the player id; the login succeeds also when this fails. */
async function keepPlayerId(
  { directory }: LoginPorts,
  { tenant, logger }: LoginRequest,
  user: User,
  playerId: string,
): Promise<void> {
  try {
    await directory.addPlayerId(tenant, user, playerId, MAX_PLAYER_IDS);
  } catch (error) {
    logger.warn('The player id could not be stored.', { error });
  }
}
