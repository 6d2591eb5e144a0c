import { errors, importJWK, jwtVerify, type JWK, SignJWT } from 'jose';
import { ServiceError } from '../domain/errors.ts';
import type { UserReference } from '../domain/directory.ts';
import * as texts from '../domain/texts.ts';
import { type FindKey, rememberVerified } from './verified-tokens.ts';

const ALGORITHM = 'ES256';

/** A token's lifetime, in seconds. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** Issuer and audience of the tokens. */
export interface TokenParties {
  readonly issuer: string;
  readonly audience: string;
}

/** A private signing key with its key id. */
export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

/** Whom a token speaks for, and when it was issued (whole Unix seconds). */
export interface VerifiedToken extends UserReference {
  readonly issuedAtSeconds: number;
}

/** The user for whom a token is issued, with its permissions at that time. */
export interface TokenUser extends UserReference {
  readonly permissions: readonly string[];
}

/**
 * Signs an access token (JWT, ES256) for a user, valid for one hour from `now`. The claim `permissions` informs clients;
 * the service itself reads the current permissions from the directory on every request.
 */
export async function signToken(
  user: TokenUser,
  key: SigningKey,
  parties: TokenParties,
  { now, tokenId }: { now: Date; tokenId: string },
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const { tenant, companyId, supplierId, permissions } = user;
  return new SignJWT({ tenant, company_id: companyId, supplier_id: supplierId, permissions })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
    .setSubject(user.userId)
    .setIssuer(parties.issuer)
    .setAudience(parties.audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .setJti(tokenId)
    .sign(await importJWK(key.privateJwk, ALGORITHM));
}

/**
 * Verifies an Authorization header for a tenant; fails with TOKEN_EXPIRED for its genuine but expired token, else with
 * UNAUTHORIZED.
 */
export type VerifyToken = (authorization: string | undefined, tenant: string, now: Date) => Promise<VerifiedToken>;

/** Verifies tokens that one of the published keys has signed for these parties. */
export function tokenVerifier(findKey: FindKey, parties: TokenParties): VerifyToken {
  const claimsOf = rememberVerified((token, now) => verifyJwt(token, findKey, parties, now), findKey);
  return async (authorization, tenant, now) => {
    const token = authorization?.match(/^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i)?.[1];
    if (!token) throw invalidToken();
    const claims = await claimsOf(token, now).catch((error: unknown) => {
      // That a token of another tenant has expired is not told.
      if (error instanceof errors.JWTExpired && error.payload['tenant'] === tenant) {
        throw new ServiceError('TOKEN_EXPIRED', texts.tokenExpired);
      }
      throw error instanceof errors.JOSEError ? invalidToken(error) : error;
    });
    const { sub, iat, company_id: companyId, supplier_id: supplierId } = claims;
    if (claims['tenant'] !== tenant || typeof sub !== 'string' || typeof companyId !== 'string') throw invalidToken();
    const supplier = typeof supplierId === 'string' ? supplierId : null;
    return { tenant, userId: sub, companyId, supplierId: supplier, issuedAtSeconds: Number(iat) };
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
