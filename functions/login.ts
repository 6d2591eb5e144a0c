import { createLoginPorts } from '../lib/composition/handler-ports.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { login } from '../lib/endpoints/login.ts';
import * as http from '../lib/http/middleware.ts';
import { LOGIN_POLICY } from '../lib/access/policies.ts';

const ports = createLoginPorts();

export const handler = http
  .responses(contract.name, LOGIN_POLICY)
  .use(http.loginBlock(ports.guards, 'login'))
  .use(http.tenant())
  .use(http.input(http.jsonBody({ maxBytes: contract.maxBodyBytes }), contract, validate))
  .use(http.loginCredentials(ports))
  .handler(login(ports));
