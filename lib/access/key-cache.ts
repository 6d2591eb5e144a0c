import { errors, importJWK, type CryptoKey, type JWK, exportJWK, generateKeyPair } from 'jose';
import { orServiceUnavailable } from '../domain/errors.ts';
import type { FindKey } from './verified-tokens.ts';
import type { SigningKey } from './tokens.ts';

// A withdrawn key is accepted for at most this time.
const MAX_AGE_MS = 60_000;
// Unknown key ids cause at most one read in this time.
const MIN_AGE_MS = 1_000;

export type PublicJwk = JWK & { readonly kid: string };

/** Finds the public key of a token's `kid`; the keys are kept for a minute, and read again for an unknown `kid`. */
export function cachedPublicKeys(read: () => Promise<readonly PublicJwk[]>, clock: { now(): Date }): FindKey {
  let keys = new Map<string, { readonly jwk: string; readonly key: CryptoKey }>();
  // The age counts from the time of the request, because a late response can be out of date.
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<typeof keys> {
    const nowMs = clock.now().getTime();
    const jwks = await orServiceUnavailable(read());
    keys = new Map(await Promise.all(jwks.map(async (jwk) => [jwk.kid, await imported(jwk)] as const)));
    askedAtMs = nowMs;
    return keys;
  }

  /** Returns the same object for the same key, because verified tokens are remembered with it. */
  async function imported(jwk: PublicJwk): Promise<{ readonly jwk: string; readonly key: CryptoKey }> {
    const text = JSON.stringify(jwk);
    const known = keys.get(jwk.kid);
    return known?.jwk === text ? known : { jwk: text, key: (await importJWK(jwk, 'ES256')) as CryptoKey };
  }

  return async ({ kid = '' }) => {
    const ageMs = Math.abs(clock.now().getTime() - askedAtMs);
    const isOld = ageMs > MAX_AGE_MS || (!keys.has(kid) && ageMs > MIN_AGE_MS);
    const key = (isOld ? await refresh() : keys).get(kid)?.key;
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

/** Generates an ES256 key pair for signing tokens. */
export async function generateSigningKey(kid: string): Promise<{ publicKey: PublicJwk; privateKey: SigningKey }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signingKey = { kid, privateJwk: await exportJWK(privateKey) };
  return { publicKey: toPublicKey(signingKey), privateKey: signingKey };
}

export function toPublicKey({ kid, privateJwk }: SigningKey): PublicJwk {
  const { d: _secret, ...publicJwk } = privateJwk;
  return { ...publicJwk, kid, alg: 'ES256', use: 'sig' };
}
