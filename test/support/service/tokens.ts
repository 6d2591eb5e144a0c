import { buildFunctionEnvironment, DEFAULT_STAGE } from '../../../infra/config.ts';
import { generateSigningKey, type SigningKey, signToken } from '../../../lib/access/sign-token.ts';
import type { UserReference } from '../../../lib/domain/directory.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { SigningKeyTables } from '../../../lib/access/rotate-signing-key.ts';
import { createSigningKeyTables } from '../../../lib/tables/signing-key-tables.ts';
import type { TestEngine } from '../engine/engine.ts';

const environment = buildFunctionEnvironment(DEFAULT_STAGE);

/** The configured issuer and audience of the functions under test. */
export const parties = { issuer: environment.TOKEN_ISSUER, audience: environment.TOKEN_AUDIENCE };

/** Creates the tables of signing keys that the key rotation uses. */
export function createTestKeyTables({ client, tables }: TestEngine): SigningKeyTables {
  return createSigningKeyTables(client, { directory: tables.Directory, signingKeys: tables.SigningKeys });
}

/** Puts a new signing key into use and publishes its public part. */
export async function seedSigningKey(engine: TestEngine): Promise<SigningKey> {
  const pair = await generateSigningKey(newUuid());
  const store = createTestKeyTables(engine);
  const publishedUntil = new Date('2100-01-01');
  await store.publish(pair.publicKey, publishedUntil);
  await store.replace({
    ...pair,
    publishedUntil,
    activeSince: new Date(),
    oldKeys: [],
    oldKeysExpireAt: publishedUntil,
  });
  return pair.privateKey;
}

/** Signs an access token as the login does, for a user whose sessions have never been revoked. */
export function issueToken(reference: UserReference, key: SigningKey): Promise<string> {
  const user = { ...reference, permissions: [], tokensNotBeforeMs: 0 };
  return signToken(user, key, parties, { now: new Date(), tokenId: newUuid() });
}
