import { createHash } from 'node:crypto';
import {
  type AccessKind,
  type AccessSnapshot,
  API_KEY_SCOPE,
  type ApiKey,
  PERMISSIONS,
  type User,
} from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { effectiveTolerance, type Tolerance } from '../domain/tolerance.ts';

/** The session of a token; `tokensNotBeforeMs` is absent in tokens of version 1.0.0. */
export interface Session {
  readonly issuedAtSeconds: number;
  /** The cutoff of its user when the token was issued, in Unix milliseconds; 0 if no session had been ended. */
  readonly tokensNotBeforeMs: number | undefined;
}

/** Returns the cutoff (ISO 8601) that ends all sessions of a user at `now`; it is later than `now` and `before`. */
export function nextTokenCutoff(now: Date, before: string | undefined): string {
  return new Date(Math.max(now.getTime(), Date.parse(before ?? '1970')) + 1).toISOString();
}

export interface Caller {
  readonly userId: string;
  readonly scope: SupplierScope;
  readonly tolerance: Tolerance;
}

/** Requires, in this order, a tenant that exists, a valid API key of it, and that the company of the key is active. */
export function requireApiKey({ tenant, apiKey, keyCompany }: AccessSnapshot, name: string, now: Date): void {
  if (!tenant) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
  if (!isUsableKey(apiKey, name, now)) throw new ServiceError('UNAUTHORIZED', texts.keyInvalid);
  if (keyCompany?.status !== 'ACTIVE') throw companySuspended();
}

/** Requires that the companies of the user and of its supplier are active, and the user too; returns the user. */
export function requireActiveUser({ user, userCompany, supplier, supplierCompany }: AccessSnapshot, now: Date): User {
  if (user && userCompany?.status !== 'ACTIVE') throw companySuspended();
  if (supplier && supplierCompany?.status !== 'ACTIVE') throw companySuspended();
  if (!user || !isActive(user, now)) {
    throw new ServiceError('UNAUTHORIZED', texts.userInactive, { reason: 'inactive-user' });
  }
  return user;
}

/** Requires that the user's sessions were not ended after the token of a session was issued. */
export function requireOpenSession(
  { tokensNotBeforeMs: cutoffMs }: Pick<User, 'tokensNotBeforeMs'>,
  { issuedAtSeconds, tokensNotBeforeMs }: Session,
): void {
  // A token without the claim is one of an earlier version, which compared times.
  const isRevoked =
    tokensNotBeforeMs === undefined ? issuedAtSeconds * 1000 < cutoffMs : tokensNotBeforeMs !== cutoffMs;
  if (isRevoked) throw new ServiceError('UNAUTHORIZED', texts.sessionEnded);
}

/** Requires that the user is linked to a supplier of its company and has the permission for this kind of access. */
export function requireSupplier(snapshot: AccessSnapshot, user: User, tenant: string, kind: AccessKind): Caller {
  const { supplier } = snapshot;
  if (!supplier || supplier.companyId !== user.companyId) {
    throw new ServiceError('FORBIDDEN', texts.supplierRequired, { reason: 'no-supplier' });
  }
  if (!user.permissions.includes(PERMISSIONS[kind])) {
    throw new ServiceError('FORBIDDEN', texts.permissionRequired(PERMISSIONS[kind]), {
      reason: 'missing-permission',
    });
  }
  return {
    userId: user.userId,
    scope: { tenant, supplierId: supplier.supplierId },
    tolerance: effectiveTolerance(supplier.tolerance, snapshot.tenant?.tolerance ?? null),
  };
}

/** True if the key belongs to the tenant, has the scope of this service, is active, and is within its validity. */
export function isUsableKey(key: ApiKey | null, tenant: string, now: Date): boolean {
  return (
    key !== null &&
    key.tenant === tenant &&
    key.scope === API_KEY_SCOPE &&
    key.status === 'ACTIVE' &&
    isWithin(key.validFrom, key.validUntil, now)
  );
}

function isActive(user: User, now: Date): boolean {
  const expired = user.expiresAt !== null && now.getTime() >= Date.parse(user.expiresAt);
  return user.active && user.licenseActive && !expired && user.permissions.length > 0;
}

function isWithin(from: string, until: string, now: Date): boolean {
  return Date.parse(from) <= now.getTime() && now.getTime() <= Date.parse(until);
}

function companySuspended(): ServiceError {
  return new ServiceError('COMPANY_SUSPENDED', texts.companySuspended);
}

/** Computes the SHA-256 of an API key in hex, which is stored. A key is a random UUID, so the hash needs no salt. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key.toLowerCase()).digest('hex');
}
