import { hash } from 'node:crypto';
import {
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyResult,
  SignJWT,
} from 'jose';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import type { UserReference } from '../domain/directory.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Session } from './access-rules.ts';
import * as texts from '../domain/texts.ts';
import { createLruCache } from '../runtime/lru-cache.ts';

const ALGORITHM = 'ES256';
// A withdrawn key is accepted for at most this time.
const MAX_AGE_MS = 60_000;
// Unknown key ids cause at most one read in this time.
const MIN_AGE_MS = 1_000;

export interface TokenParties {
  readonly issuer: string;
  readonly audience: string;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

export interface VerifiedToken {
  readonly identity: UserReference;
  readonly session: Session;
}

/** The user of a new token, with the current permissions and cutoff (see Session). */
export interface TokenUser extends UserReference {
  readonly permissions: readonly string[];
  readonly tokensNotBeforeMs: number;
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

/** Verifies an Authorization header for a tenant; throws TOKEN_EXPIRED for its expired token, else UNAUTHORIZED. */
export type VerifyToken = (authorization: string | undefined, tenant: string, now: Date) => Promise<VerifiedToken>;

/** Creates a function that verifies tokens which a published key has signed for these parties. */
export function tokenVerifier(findKey: FindKey, parties: TokenParties): VerifyToken {
  const claimsOf = rememberVerified((token, now) => verifyJwt(token, findKey, parties, now), findKey);
  return async (authorization, tenant, now) => {
    const token = authorization?.match(/^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i)?.[1];
    if (!token) throw invalidToken();
    const claims = await claimsOf(token, now).catch((error: unknown) => {
      // The response does not reveal that a token of another tenant has expired.
      if (error instanceof errors.JWTExpired && error.payload['tenant'] === tenant) {
        throw new ServiceError('TOKEN_EXPIRED', texts.tokenExpired);
      }
      throw error instanceof errors.JOSEError ? invalidToken(error) : error;
    });
    const { sub, iat, company_id: companyId, supplier_id: supplierId, tokens_not_before: cutoff } = claims;
    if (claims['tenant'] !== tenant || typeof sub !== 'string' || typeof companyId !== 'string') throw invalidToken();
    const supplier = typeof supplierId === 'string' ? supplierId : null;
    return {
      identity: { tenant, userId: sub, companyId, supplierId: supplier },
      session: { issuedAtSeconds: Number(iat), tokensNotBeforeMs: cutoff === undefined ? undefined : Number(cutoff) },
    };
  };
}

function verifyJwt(token: string, findKey: FindKey, { issuer, audience }: TokenParties, now: Date) {
  return jwtVerify(token, findKey, {
    algorithms: [ALGORITHM],
    typ: 'JWT',
    issuer,
    audience,
    requiredClaims: ['sub', 'iat', 'exp', 'jti', 'tenant', 'company_id'],
    currentDate: now,
  });
}

function invalidToken(cause?: unknown): ServiceError {
  return new ServiceError('UNAUTHORIZED', texts.tokenInvalid, { cause });
}

/** Finds the published key of a key id; rejects if there is none. */
export type FindKey = (header: { readonly kid?: string }) => Promise<CryptoKey>;

/**
 * Creates a function that verifies a token once, and remembers its claims until it expires or its key is withdrawn or
 * replaced. A rejected token is verified again each time.
 */
export function rememberVerified(
  verify: (token: string, now: Date) => Promise<JWTVerifyResult & { readonly key: unknown }>,
  findKey: FindKey,
): (token: string, now: Date) => Promise<JWTPayload> {
  const remembered = createLruCache<Awaited<ReturnType<typeof verify>> & { readonly fromMs: number }>(1_000);

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
    return known?.jwk === text ? known : { jwk: text, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
  }

  return async ({ kid = '' }) => {
    const ageMs = Math.abs(clock.now().getTime() - askedAtMs);
    const isOld = ageMs > MAX_AGE_MS || (!keys.has(kid) && ageMs > MIN_AGE_MS);
    const key = (isOld ? await refresh() : keys).get(kid)?.key;
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
}

export async function generateSigningKey(kid: string): Promise<{ publicKey: PublicJwk; privateKey: SigningKey }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const signingKey = { kid, privateJwk: await exportJWK(privateKey) };
  return { publicKey: toPublicKey(signingKey), privateKey: signingKey };
}

export function toPublicKey({ kid, privateJwk }: SigningKey): PublicJwk {
  const { d: _secret, ...publicJwk } = privateJwk;
  return { ...publicJwk, kid, alg: ALGORITHM, use: 'sig' };
}
