import { errors, importJWK, type CryptoKey, type JWK } from 'jose';
import { whileVerifying } from '../domain/errors.ts';
import type { FindKey } from './verified-tokens.ts';

// For this long a withdrawn key is still trusted.
const MAX_AGE_MS = 60_000;
// An unknown key id is looked up again, but not more often than this, however many unknown ones come.
const MIN_AGE_MS = 1_000;

/** A public key, by its key id. */
export type PublicJwk = JWK & { readonly kid: string };

/** Finds the public key of a token's `kid`; the keys are kept for a minute, and read again for an unknown `kid`. */
export function cachedPublicKeys(read: () => Promise<readonly PublicJwk[]>, clock: { now(): Date }): FindKey {
  let keys = new Map<string, { readonly jwk: string; readonly key: CryptoKey }>();
  // The age of the keys counts from the question: its answer may be late, and not know what has happened meanwhile.
  let askedAtMs = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<typeof keys> {
    const nowMs = clock.now().getTime();
    const jwks = await whileVerifying(read());
    keys = new Map(await Promise.all(jwks.map(async (jwk) => [jwk.kid, await imported(jwk)] as const)));
    askedAtMs = nowMs;
    return keys;
  }

  /** The same object for the same key: by it, a token that was verified is known again. */
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
