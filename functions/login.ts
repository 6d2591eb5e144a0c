import { LOGIN_POLICY } from '../lib/domain/policies.ts';
import { verifyPassword } from '../lib/access/passwords.ts';
import { createTokenSigner } from '../lib/access/sign-token.ts';
import { createCredentialGuards } from '../lib/composition/credential-guards.ts';
import { loginContract as contract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { createLoginEndpoint } from '../lib/endpoints/login.ts';
import { requireTenant } from '../lib/http/credentials.ts';
import { handleLoginRejections, verifyLoginCredentials } from '../lib/http/guard-login.ts';
import { parseValidInput, readBody } from '../lib/http/input.ts';
import { createChain } from '../lib/http/responses.ts';
import { getTableName, readTokenParties } from '../lib/runtime/env.ts';
import { createDirectoryTable } from '../lib/tables/directory-table.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createPlayerIdWriter } from '../lib/tables/player-ids.ts';
import { createSigningKeyReader } from '../lib/tables/signing-key-tables.ts';

const client = createTableClient();
const directory = createDirectoryTable(client, getTableName('DIRECTORY'));
const guards = createCredentialGuards(client, 'LOGIN');
const readSigningKey = createSigningKeyReader(client, getTableName('SIGNING_KEYS'));

/**
 * POST /apidev/v1/login: returns an access token. `handleLoginRejections` is first, so that it receives the errors of
 * all later steps. For example, during a lockout it replaces the error of a malformed body. The password is checked
 * last, because a failure counts for an account, which is found by the tenant and the e-mail in the body.
 */
export const handler = createChain(contract.name, { limit: LOGIN_POLICY })
  .use(handleLoginRejections(guards, 'login'))
  .use(requireTenant())
  .use(parseValidInput(readBody, contract, validate))
  .use(verifyLoginCredentials({ directory, guards, verifyPassword }))
  .handler(
    createLoginEndpoint({
      addPlayerId: createPlayerIdWriter(client, getTableName('DIRECTORY')),
      signToken: createTokenSigner(readSigningKey, readTokenParties()),
    }),
  );
