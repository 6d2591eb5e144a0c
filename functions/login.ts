import { createLoginPorts } from '../lib/composition/handler-ports.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { createLoginEndpoint } from '../lib/endpoints/login.ts';
import * as middleware from '../lib/http/middleware.ts';
import { LOGIN_POLICY } from '../lib/access/policies.ts';

const ports = createLoginPorts();

/**
 * POST /apidev/v1/login: returns an access token. `handleLoginRejections` is first, so that it receives the errors of
 * all later steps. For example, during a lockout it replaces the error of a malformed body. The password is checked
 * last, because a failure counts for an account, which is found by the tenant and the e-mail in the body.
 */
export const handler = middleware
  .createChain(contract.name, { limit: LOGIN_POLICY })
  .use(middleware.handleLoginRejections(ports.guards, 'login'))
  .use(middleware.requireTenant())
  .use(middleware.parseValidInput(middleware.createBodyReader({ maxBytes: contract.maxBodyBytes }), contract, validate))
  .use(middleware.verifyLoginCredentials(ports))
  .handler(createLoginEndpoint(ports));
