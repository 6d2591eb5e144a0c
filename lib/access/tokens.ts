import { hash } from 'node:crypto';
import { type CryptoKey, errors, importJWK, type JWK, type JWTPayload, jwtVerify, type JWTVerifyResult } from 'jose';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import type { UserReference } from '../domain/directory.ts';
import type { Session } from './access-rules.ts';
import * as texts from '../domain/texts.ts';
import { systemClock } from '../runtime/clock.ts';
import { createLruCache } from '../runtime/lru-cache.ts';

/** The algorithm of the signatures: ECDSA with P-256 and SHA-256. */
export const ALGORITHM = 'ES256';

// The cached keys are read again after this time. Therefore a withdrawn key is accepted for at most a minute.
const MAX_KEY_AGE_MS = 60_000;
// Unknown key ids cause at most one read of the keys in this time.
const MIN_READ_INTERVAL_MS = 1_000;
const MAX_CACHED_TOKENS = 1_000;
// Matches `Bearer <token>`. A JWT has three parts in Base64url.
const BEARER = /^Bearer (?<token>[\w-]+\.[\w-]+\.[\w-]+)$/i;

export interface TokenParties {
  readonly issuer: string;
  readonly audience: string;
}

export interface VerifiedToken {
  readonly identity: UserReference;
  readonly session: Session;
}

/** Verifies an Authorization header. Throws TOKEN_EXPIRED for an expired token of the tenant, else UNAUTHORIZED. */
export type VerifyToken = (authorization: string | undefined, tenant: string, now: Date) => Promise<VerifiedToken>;

/** Creates a function that verifies tokens. A valid token was signed by a published key, for these parties. */
export function createTokenVerifier(findKey: FindKey, parties: TokenParties): VerifyToken {
  const readClaims = createClaimsReader(findKey, parties);
  return async (authorization, tenant, now) => {
    const token = BEARER.exec(authorization ?? '')?.groups?.['token'];
    if (!token) throw createTokenError();
    const claims = await readClaims(token, now).catch((error: unknown) => {
      // The response does not reveal that a token of another tenant has expired.
      if (error instanceof errors.JWTExpired && error.payload['tenant'] === tenant) {
        throw new ServiceError('TOKEN_EXPIRED', texts.tokenExpired);
      }
      throw error instanceof errors.JOSEError ? createTokenError(error) : error;
    });
    const { sub, company_id: companyId, supplier_id: supplierId, tokens_not_before: cutoff } = claims;
    const hasRequiredTypes = typeof sub === 'string' && typeof companyId === 'string';
    if (!hasRequiredTypes || claims['tenant'] !== tenant) throw createTokenError();
    const supplier = typeof supplierId === 'string' ? supplierId : null;
    return {
      identity: { tenant, userId: sub, companyId, supplierId: supplier },
      session: { tokensNotBeforeMs: Number(cutoff) },
    };
  };
}

function createTokenError(cause?: unknown): ServiceError {
  return new ServiceError('UNAUTHORIZED', texts.tokenInvalid, { cause });
}

/** A function that finds the published key of a key id, and throws a JOSE error if there is none. */
export type FindKey = (header: { readonly kid?: string }) => Promise<CryptoKey>;

/**
 * Creates a function that verifies a token and returns its claims. It verifies a token once, until the token expires or
 * the public keys are read again. It does not cache a rejected token.
 */
function createClaimsReader(findKey: FindKey, { issuer, audience }: TokenParties) {
  const cache = createLruCache<JWTVerifyResult & { readonly key: CryptoKey }>(MAX_CACHED_TOKENS);

  return async (token: string, now: Date): Promise<JWTPayload> => {
    // The cache contains the hash of the whole token, with its signature, so that no credentials are kept in memory.
    const tokenHash = hash('sha256', token);
    const cached = cache.get(tokenHash);
    const hasExpired = Math.floor(now.getTime() / 1000) >= (cached?.payload.exp ?? 0);
    if (cached && !hasExpired && (await findKey(cached.protectedHeader)) === cached.key) return cached.payload;
    const verified = await jwtVerify(token, findKey, {
      algorithms: [ALGORITHM],
      typ: 'JWT',
      issuer,
      audience,
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'tenant', 'company_id', 'tokens_not_before'],
      currentDate: now,
    });
    cache.set(tokenHash, verified);
    return verified.payload;
  };
}

export type PublicJwk = JWK & { readonly kid: string };

/** Creates a function that finds a public key. Keys are cached for a minute, and read again for an unknown `kid`. */
export function createPublicKeyCache(read: () => Promise<readonly PublicJwk[]>): FindKey {
  let keys = new Map<string, CryptoKey>();
  // The age counts from the start of the read, because the response to a slow read can be out of date.
  let readStartedAtMs = Number.NEGATIVE_INFINITY;

  async function readKeys(): Promise<typeof keys> {
    const nowMs = systemClock.now().getTime();
    const jwks = await orServiceUnavailable(read());
    keys = new Map(await Promise.all(jwks.map(async (jwk) => [jwk.kid, await importPublicKey(jwk)] as const)));
    readStartedAtMs = nowMs;
    return keys;
  }

  return async ({ kid = '' }) => {
    // The age is negative if the clock was set back.
    const ageMs = Math.abs(systemClock.now().getTime() - readStartedAtMs);
    const shouldRead = ageMs > MAX_KEY_AGE_MS || (!keys.has(kid) && ageMs > MIN_READ_INTERVAL_MS);
    const key = (shouldRead ? await readKeys() : keys).get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

async function importPublicKey(jwk: PublicJwk): Promise<CryptoKey> {
  // `importJWK` returns a Uint8Array only for a symmetric key.
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}
