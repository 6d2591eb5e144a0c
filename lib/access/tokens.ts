import { errors, importJWK, jwtVerify, type JWK, SignJWT } from 'jose';
import { ServiceError } from '../domain/errors.ts';
import type { UserReference } from '../domain/directory.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Session } from './sessions.ts';
import * as texts from '../domain/texts.ts';
import { type FindKey, rememberVerified } from './verified-tokens.ts';

const ALGORITHM = 'ES256';

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
