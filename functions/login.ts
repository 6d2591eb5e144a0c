import { createLoginPorts } from '../lib/composition/handler-ports.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { createLoginEndpoint } from '../lib/endpoints/login.ts';
import * as middleware from '../lib/http/middleware.ts';
import { LOGIN_POLICY } from '../lib/access/policies.ts';

const ports = createLoginPorts();

/**
 * POST /apidev/v1/login: returns an access token. `handleLoginRejections` is first, because it acts on the errors of
 * all later steps. For example, a malformed body gets the response of the lockout during a lockout. The password is
 * checked last, because a failure counts for an account, which is found by the tenant and the e-mail in the body.
 */
export const handler = middleware
  .createChain(contract.name, { limit: LOGIN_POLICY })
  .use(middleware.handleLoginRejections(ports.guards, 'login'))
  .use(middleware.requireTenant())
  .use(middleware.parseValidInput(middleware.createBodyReader({ maxBytes: contract.maxBodyBytes }), contract, validate))
  .use(middleware.verifyLoginCredentials(ports))
  .handler(createLoginEndpoint(ports));
