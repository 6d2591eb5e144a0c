import { exportJWK, generateKeyPair } from 'jose';
import type { PublicJwk } from './key-cache.ts';
import type { SigningKey } from './tokens.ts';

/** Generates an ES256 key pair for signing tokens. */
export async function generateSigningKey(kid: string): Promise<{ publicKey: PublicJwk; privateKey: SigningKey }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signingKey = { kid, privateJwk: await exportJWK(privateKey) };
  return { publicKey: toPublicKey(signingKey), privateKey: signingKey };
}

/** Returns the public key of a signing key. */
export function toPublicKey({ kid, privateJwk }: SigningKey): PublicJwk {
  const { d: _secret, ...publicJwk } = privateJwk;
  return { ...publicJwk, kid, alg: 'ES256', use: 'sig' };
}
