import middy from '@middy/core';
import { loginPorts } from '../lib/composition/handler-ports.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { login } from '../lib/endpoints/login.ts';
import { answerHeaders } from '../lib/http/answer-headers.ts';
import { typedChain } from '../lib/http/chain.ts';
import { optionalApiKey, tenant } from '../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../lib/http/envelope.ts';
import { input } from '../lib/http/input.ts';
import { jsonBody } from '../lib/http/json-body.ts';
import { loginBlock } from '../lib/http/login-block.ts';
import { requestLog, requestState } from '../lib/http/request.ts';
import { unicodeText } from '../lib/http/unicode-text.ts';
import { LOGIN_POLICY } from '../lib/rate-limit/policies.ts';

const ports = loginPorts();

/** POST /apidev/v1/login: the endpoint itself checks the password, under the guards. */
export const handler = typedChain(middy())
  .use(requestState(contract.name))
  .use(requestLog())
  .use(answerHeaders(LOGIN_POLICY))
  .use(envelope())
  .use(unexpectedErrors())
  .use(loginBlock(ports.guards, { tellsFailures: true }))
  .use(tenant())
  .use(optionalApiKey())
  .use(unicodeText())
  .use(jsonBody(contract.maxBodyBytes))
  .use(input(contract, validate))
  .handler(login(ports));
