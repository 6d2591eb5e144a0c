import { requireActiveUser } from '../lib/auth/access-rules.ts';
import { cachedSigningKey } from '../lib/auth/key-cache.ts';
import { verifyPassword } from '../lib/auth/passwords.ts';
import { signToken } from '../lib/auth/tokens.ts';
import { credentialGuards } from '../lib/composition/credential-guards.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { loginContract } from '../lib/contracts/login.ts';
import { login as validate } from '../lib/contracts/validators.generated.js';
import { loginEndpoint } from '../lib/http/login-endpoint.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { tableName, tokenParties } from '../lib/runtime/env.ts';
import { newUuid } from '../lib/runtime/ids.ts';
import { createDirectoryTable } from '../lib/storage/directory-table.ts';
import { createSigningKeyReader } from '../lib/storage/signing-key-tables.ts';
import { login } from '../lib/endpoints/login.ts';

const client = serviceClient();
const signingKey = cachedSigningKey(createSigningKeyReader(client, tableName('SIGNING_KEYS')), systemClock);
const parties = tokenParties();
const ports = {
  ...createDirectoryTable(client, tableName('DIRECTORY')),
  ...credentialGuards(client, 'LOGIN'),
  verifyPassword,
  requireActiveUser,
  signToken: async (user: Parameters<typeof signToken>[0], now: Date) =>
    signToken(user, await signingKey(), parties, { now, tokenId: newUuid() }),
};

/** POST /apidev/v1/login */
export const handler = loginEndpoint(
  loginContract,
  validate,
  (request, now) => login(ports, request, now),
  systemClock,
);
