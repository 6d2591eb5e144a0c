import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import type { UserReference } from '../domain/directory.ts';
import { orServiceUnavailable } from '../domain/errors.ts';
import { LIMITS } from '../domain/limits.ts';
import { newUuid } from '../runtime/ids.ts';
import { ALGORITHM, type PublicJwk, type TokenParties } from './tokens.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

/** The user of a new token, with the current permissions and cutoff (see Session). */
export interface TokenUser extends UserReference {
  readonly permissions: readonly string[];
  readonly tokensNotBeforeMs: number;
}

/** Creates the function that signs tokens. It throws SERVICE_UNAVAILABLE if the current key cannot be read. */
export function createTokenSigner(readSigningKey: () => Promise<SigningKey | null>, parties: TokenParties) {
  return async (user: TokenUser, now: Date): Promise<string> => {
    // The key is not cached, because after a leak no token may be signed with the old key.
    const key = await orServiceUnavailable(readSigningKey());
    if (!key) throw new Error('There is no signing key yet.');
    return signToken(user, key, parties, { now, tokenId: newUuid() });
  };
}

/**
 * Signs an access token (JWT, ES256) for a user, valid for one hour from `now`. The claim `permissions` informs
 * clients; the service itself reads the current permissions from the directory on every request.
 */
export async function signToken(
  user: TokenUser,
  key: SigningKey,
  parties: TokenParties,
  { now, tokenId }: { now: Date; tokenId: string },
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const { tenant, companyId, supplierId, permissions, tokensNotBeforeMs } = user;
  const claims = { tenant, company_id: companyId, supplier_id: supplierId, permissions };
  return new SignJWT({ ...claims, tokens_not_before: tokensNotBeforeMs })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
    .setSubject(user.userId)
    .setIssuer(parties.issuer)
    .setAudience(parties.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIMITS.tokenSeconds)
    .setJti(tokenId)
    .sign(await importJWK(key.privateJwk, ALGORITHM));
}

export async function generateSigningKey(kid: string): Promise<{ publicKey: PublicJwk; privateKey: SigningKey }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const signingKey = { kid, privateJwk: await exportJWK(privateKey) };
  return { publicKey: toPublicKey(signingKey), privateKey: signingKey };
}

/** Converts a private key to its public key: `d` is the secret part of the JWK. */
export function toPublicKey({ kid, privateJwk }: SigningKey): PublicJwk {
  const { d: _secret, ...publicJwk } = privateJwk;
  return { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' };
}
