import { hash } from 'node:crypto';
import type { CryptoKey, JWTPayload, JWTVerifyResult } from 'jose';

/** Finds the published key with a key id; fails when there is none (any more). */
export type FindKey = (header: { readonly kid?: string }) => Promise<CryptoKey>;

/** What a token says, once its signature and claims have been checked with `key`. */
export type Verified = JWTVerifyResult & { readonly key: unknown };

const MAX_REMEMBERED = 1_000;

/**
 * Checks a token once, and remembers what it says until it expires or its key is withdrawn or replaced. A token that
 * was refused is checked again each time.
 */
export function rememberVerified(
  verify: (token: string, now: Date) => Promise<Verified>,
  findKey: FindKey,
): (token: string, now: Date) => Promise<JWTPayload> {
  const remembered = new Map<string, Verified & { readonly fromMs: number }>();

  return async (token, now) => {
    // Of the whole token, signature included. The token itself would be a credential that lies about in the memory.
    const id = hash('sha256', token);
    const known = remembered.get(id);
    if (known && holdsAt(known, now) && (await findKey(known.protectedHeader)) === known.key) return known.payload;
    remembered.delete(id);
    const verified = await verify(token, now);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= MAX_REMEMBERED) remembered.delete(oldest);
    remembered.set(id, { ...verified, fromMs: now.getTime() });
    return verified.payload;
  };
}

/** Of all that was checked, only its times can change: `exp`, and `nbf` where a clock was set back. */
function holdsAt({ payload: { exp = 0 }, fromMs }: { payload: JWTPayload; fromMs: number }, now: Date): boolean {
  return fromMs <= now.getTime() && Math.floor(now.getTime() / 1000) < exp;
}
