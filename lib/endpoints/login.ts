import { requireActiveUser } from '../access/access-rules.ts';
import type { TokenUser } from '../access/sign-token.ts';
import type { LoginInput } from '../contracts/login.ts';
import type { User } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import type { ValidCredentials } from '../access/verify-credentials.ts';
import type { EndpointRequest, Success } from './endpoint.ts';

export interface LoginRequest extends EndpointRequest {
  readonly input: LoginInput;
  readonly credentials: Omit<ValidCredentials, 'recordSuccess'> & { readonly recordSuccess: () => Promise<void> };
}

interface LoginPorts {
  readonly addPlayerId: (tenant: string, user: User, playerId: string) => Promise<void>;
  readonly signToken: (user: TokenUser, now: Date) => Promise<string>;
}

/** Creates the endpoint that issues a token for valid credentials; it throws an error if the user is not active. */
export function createLoginEndpoint(ports: LoginPorts): (request: LoginRequest) => Promise<Success> {
  return async (request) => {
    const { credentials, input, logger, receivedAt } = request;
    const { snapshot, tenant, user, tokensNotBeforeMs } = credentials;
    const issueToken = async () => {
      requireActiveUser(snapshot, receivedAt);
      return ports.signToken({ ...user, tenant, tokensNotBeforeMs }, receivedAt);
    };
    // The password was valid. Therefore the guards record the success even if the user is then rejected.
    const [tokenOrRejection] = await Promise.all([issueToken().catch(returnRejection), credentials.recordSuccess()]);
    if (tokenOrRejection instanceof ServiceError) throw tokenOrRejection;
    if (input.playerid) {
      // The login succeeds even if the player id cannot be stored.
      await ports.addPlayerId(tenant, user, input.playerid).catch((error: unknown) => {
        logger.warn('The player id could not be stored.', { error });
      });
    }
    return { data: { authorization: tokenOrRejection } };
  };
}

/** Returns a rejection of the user instead of throwing it. All other errors are thrown again. */
function returnRejection(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
