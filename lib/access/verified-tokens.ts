import { hash } from 'node:crypto';
import type { CryptoKey, JWTPayload, JWTVerifyResult } from 'jose';
import { createLruCache } from '../runtime/lru-cache.ts';

/** Finds the published key of a key id; rejects if there is none. */
export type FindKey = (header: { readonly kid?: string }) => Promise<CryptoKey>;

/** The content of a token whose signature and claims were verified with `key`. */
export type Verified = JWTVerifyResult & { readonly key: unknown };

const MAX_REMEMBERED = 1_000;

/**
 * Creates a function that verifies a token once, and remembers its claims until it expires or its key is withdrawn or
 * replaced. A rejected token is verified again each time.
 */
export function rememberVerified(
  verify: (token: string, now: Date) => Promise<Verified>,
  findKey: FindKey,
): (token: string, now: Date) => Promise<JWTPayload> {
  const remembered = createLruCache<Verified & { readonly fromMs: number }>(MAX_REMEMBERED);

  return async (token, now) => {
    // The hash of the whole token, with its signature, so that no credentials are kept in memory.
    const id = hash('sha256', token);
    const known = remembered.get(id);
    if (known && holdsAt(known, now) && (await findKey(known.protectedHeader)) === known.key) return known.payload;
    const verified = await verify(token, now);
    remembered.set(id, { ...verified, fromMs: now.getTime() });
    return verified.payload;
  };
}

/** True if the times of a verified token are still valid: `exp`, and `nbf` if the clock was set back. */
function holdsAt({ payload: { exp = 0 }, fromMs }: { payload: JWTPayload; fromMs: number }, now: Date): boolean {
  return fromMs <= now.getTime() && Math.floor(now.getTime() / 1000) < exp;
}
