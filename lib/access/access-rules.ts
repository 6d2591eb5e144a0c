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
import { DAY_MS } from '../domain/iso-date.ts';
import * as texts from '../domain/texts.ts';
import { selectTolerance, type Tolerance } from '../domain/tolerance.ts';
import { EXPIRY_NOTICE_DAYS } from '../domain/policies.ts';

export interface Session {
  /** The user's cutoff (Unix ms) at the time of issue; 0 if there was none. */
  readonly tokensNotBeforeMs: number;
}

/** Computes the cutoff (ISO 8601) that ends all sessions at `now`. It is later than `now` and the old cutoff. */
export function nextTokenCutoff(now: Date, oldCutoff: string | undefined): string {
  return new Date(Math.max(now.getTime(), Date.parse(oldCutoff ?? '1970')) + 1).toISOString();
}

/** The user of a request that passed the access check, with the supplier for which it acts. */
export interface Caller {
  readonly userId: string;
  readonly scope: SupplierScope;
  readonly tolerance: Tolerance;
}

/** Requires that the tenant exists, that the API key is a usable key of the tenant, and that its company is active. */
export function requireApiKey({ tenant, apiKey, keyCompany }: AccessSnapshot, tenantName: string, now: Date): void {
  if (!tenant) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
  if (!isUsableKey(apiKey, tenantName, now)) throw new ServiceError('UNAUTHORIZED', texts.keyInvalid);
  if (keyCompany?.status !== 'ACTIVE') throw createSuspendedError();
}

/** Requires that the user, its company and the company of its supplier are active. Returns the user. */
export function requireActiveUser({ user, userCompany, supplier, supplierCompany }: AccessSnapshot, now: Date): User {
  if (user && userCompany?.status !== 'ACTIVE') throw createSuspendedError();
  if (supplier && supplierCompany?.status !== 'ACTIVE') throw createSuspendedError();
  if (!user || !isActive(user, now)) {
    throw new ServiceError('UNAUTHORIZED', texts.userInactive, { reason: 'inactive-user' });
  }
  return user;
}

/** Requires that the user's sessions were not ended after the token of a session was issued. */
export function requireOpenSession(user: Pick<User, 'tokensNotBeforeMs'>, session: Session): void {
  if (session.tokensNotBeforeMs !== user.tokensNotBeforeMs) throw new ServiceError('UNAUTHORIZED', texts.sessionEnded);
}

/** Requires that the user is linked to a supplier of its company and has the permission for this kind of access. */
export function requireSupplier(snapshot: AccessSnapshot, user: User, tenant: string, kind: AccessKind): Caller {
  const { supplier } = snapshot;
  if (!supplier || supplier.companyId !== user.companyId) {
    throw new ServiceError('FORBIDDEN', texts.supplierRequired, { reason: 'no-supplier' });
  }
  if (!user.permissions.includes(PERMISSIONS[kind])) {
    throw new ServiceError('FORBIDDEN', texts.permissionRequired(PERMISSIONS[kind]), { reason: 'missing-permission' });
  }
  return {
    userId: user.userId,
    scope: { tenant, supplierId: supplier.supplierId },
    tolerance: selectTolerance(supplier.tolerance, snapshot.tenant?.tolerance ?? null),
  };
}

/** True if the key belongs to the tenant, has the scope of this service, is active, and is within its validity. */
export function isUsableKey(key: ApiKey | null, tenant: string, now: Date): boolean {
  return (
    key !== null &&
    key.tenant === tenant &&
    key.scope === API_KEY_SCOPE &&
    key.status === 'ACTIVE' &&
    isWithinPeriod(key.validFrom, key.validUntil, now)
  );
}

function isActive(user: User, now: Date): boolean {
  const isExpired = user.expiresAt !== null && now.getTime() >= Date.parse(user.expiresAt);
  return user.isActive && user.hasActiveLicense && !isExpired && user.permissions.length > 0;
}

/** True if the API key or the user of a request expires within EXPIRY_NOTICE_DAYS. */
export function isExpiringSoon({ apiKey, user }: AccessSnapshot, now: Date): boolean {
  const limitMs = now.getTime() + EXPIRY_NOTICE_DAYS * DAY_MS;
  return [apiKey?.validUntil, user?.expiresAt].some((end) => Date.parse(end ?? '') <= limitMs);
}

function isWithinPeriod(from: string, until: string, now: Date): boolean {
  return Date.parse(from) <= now.getTime() && now.getTime() <= Date.parse(until);
}

function createSuspendedError(): ServiceError {
  return new ServiceError('COMPANY_SUSPENDED', texts.companySuspended);
}

/** Computes the stored hash of an API key (SHA-256, hex). The hash needs no salt, because a key is a random UUID. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key.toLowerCase()).digest('hex');
}
