import { config } from '../../infra/config.ts';
import { generateSigningKey } from '../../lib/auth/key-pairs.ts';
import { type SigningKey, signToken } from '../../lib/auth/tokens.ts';
import type { UserReference } from '../../lib/domain/directory.ts';
import { newUuid } from '../../lib/runtime/ids.ts';
import { createPublicKeyWriter, createSigningKeyWriter } from '../../lib/storage/signing-key-tables.ts';
import type { TestEngine } from './engine.ts';

/** Issuer and audience that the functions under test are configured with. */
export const parties = {
  issuer: config.functionEnvironment.TOKEN_ISSUER,
  audience: config.functionEnvironment.TOKEN_AUDIENCE,
};

/** Puts a new signing key into use and publishes its public part. */
export async function seedSigningKey(engine: TestEngine): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateSigningKey(newUuid());
  await createPublicKeyWriter(engine.client, engine.tables.Directory)({ publicKey, expiresAt: null });
  await createSigningKeyWriter(engine.client, engine.tables.SigningKeys)(privateKey, { replace: true });
  return privateKey;
}

/** An access token of a user, as the login issues it. */
export function tokenFor(reference: UserReference, key: SigningKey, now = new Date()): Promise<string> {
  return signToken(reference, key, parties, { now, tokenId: newUuid() });
}
