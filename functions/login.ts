import middy from '@middy/core';
import { loginPorts } from '../lib/composition/handler-ports.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { login } from '../lib/endpoints/login.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { LOGIN_POLICY } from '../lib/rate-limit/policies.ts';

const ports = loginPorts();

/** POST /apidev/v1/login: the endpoint itself checks the password, under the guards. */
export const handler = typedChain(middy())
  .use(http.requestState(contract.name))
  .use(http.requestLog())
  .use(http.answerHeaders(LOGIN_POLICY))
  .use(http.envelope())
  .use(http.unexpectedErrors())
  .use(http.loginBlock(ports.guards, { tellsFailures: true }))
  .use(http.tenant())
  .use(http.unicodeText())
  .use(http.jsonBody(contract.maxBodyBytes))
  .use(http.input(contract, validate))
  .handler(login(ports));
