import { errors, importJWK, type CryptoKey, type JWK } from 'jose';
import { whileVerifying } from '../domain/errors.ts';
import type { SigningKey } from './tokens.ts';
import type { FindKey } from './verified-tokens.ts';

// For this long a withdrawn key is still trusted, and a replaced one still signs.
const MAX_AGE_MS = 60_000;
// An unknown key id is looked up again, but not more often than this, however many unknown ones come.
const MIN_AGE_MS = 1_000;

/** A public key, by its key id. */
export type PublicJwk = JWK & { readonly kid: string };

/** Finds the public key of a token's `kid`; the keys are kept for a minute, and read again for an unknown `kid`. */
export function cachedPublicKeys(read: () => Promise<readonly PublicJwk[]>, clock: { now(): Date }): FindKey {
  let keys = new Map<string, { readonly jwk: string; readonly key: CryptoKey }>();
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<void> {
    const jwks = await whileVerifying(read());
    keys = new Map(await Promise.all(jwks.map(async (jwk) => [jwk.kid, await imported(jwk)] as const)));
    readAtMs = clock.now().getTime();
  }

  /** The same object for the same key: by it, a token that was verified is known again. */
  async function imported(jwk: PublicJwk): Promise<{ readonly jwk: string; readonly key: CryptoKey }> {
    const text = JSON.stringify(jwk);
    const known = keys.get(jwk.kid);
    return known?.jwk === text ? known : { jwk: text, key: (await importJWK(jwk, 'ES256')) as CryptoKey };
  }

  return async ({ kid = '' }) => {
    const ageMs = Math.abs(clock.now().getTime() - readAtMs);
    if (ageMs > MAX_AGE_MS || (!keys.has(kid) && ageMs > MIN_AGE_MS)) await refresh();
    const key = keys.get(kid)?.key;
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

/** Reads the signing key at most once a minute, so that not every login reads it; fails when none was ever made. */
export function cachedSigningKey(
  read: () => Promise<SigningKey | null>,
  clock: { now(): Date },
): () => Promise<SigningKey> {
  let key: SigningKey | null = null;
  let readAtMs = 0;
  return async () => {
    const nowMs = clock.now().getTime();
    if (!key || Math.abs(nowMs - readAtMs) > MAX_AGE_MS) {
      key = await read();
      readAtMs = nowMs;
    }
    if (!key) throw new Error('No signing key has been made yet.');
    return key;
  };
}
