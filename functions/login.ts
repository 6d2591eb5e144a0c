import { isOwnKey, requireActiveUser } from '../lib/auth/access-rules.ts';
import { verifyPassword } from '../lib/auth/passwords.ts';
import { credentialGuards } from '../lib/composition/credential-guards.ts';
import { directory } from '../lib/composition/directory.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { tokenSigner } from '../lib/composition/token-signer.ts';
import { loginContract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { login } from '../lib/endpoints/login.ts';
import { loginPipeline } from '../lib/http/login-pipeline.ts';
import { systemClock } from '../lib/runtime/clock.ts';

const client = serviceClient();
const guards = credentialGuards(client, 'LOGIN');
const endpoint = login({
  guards,
  directory: directory(client),
  verifyPassword,
  isOwnKey,
  requireActiveUser,
  signToken: tokenSigner(client),
});

/** POST /apidev/v1/login */
export const handler = loginPipeline(loginContract, validate, { guards, clock: systemClock }).handler(endpoint);
