import type { ToleranceConfig } from './tolerance.ts';

/** The permissions of the supplier portal. */
export const PERMISSIONS = {
  read: 'APICLI_PORTALPROVEEDOR_READ',
  write: 'APICLI_PORTALPROVEEDOR_WRITE',
} as const;

/** Whether an endpoint reads or writes: this decides the permission it needs and the limit it counts against. */
export type AccessKind = keyof typeof PERMISSIONS;

/** The one integration scope that opens this service. */
export const API_KEY_SCOPE = 'SUPPLIER_PORTAL';

/** A tenant, with the tolerance of its suppliers that have none of their own. */
export interface Tenant {
  readonly tenant: string;
  readonly tolerance: ToleranceConfig | null;
}

/** A company; while it is suspended none of its users and keys works. */
export interface Company {
  readonly companyId: string;
  readonly status: 'ACTIVE' | 'SUSPENDED';
}

/** A supplier (prestador), the owner of invoices. */
export interface Supplier {
  readonly supplierId: string;
  readonly companyId: string;
  readonly tolerance: ToleranceConfig | null;
}

/** A user; `expiresAt` is ISO 8601. Tokens that were issued before `tokensFromMs` (Unix milliseconds) are refused. */
export interface User {
  readonly userId: string;
  readonly companyId: string;
  readonly supplierId: string | null;
  readonly email: string;
  readonly permissions: readonly string[];
  readonly active: boolean;
  readonly licenseActive: boolean;
  readonly expiresAt: string | null;
  readonly tokensFromMs: number;
  readonly playerIds: readonly string[];
}

/** An API key as it is stored; the validity bounds are ISO 8601, `last4` is all that is kept of its text. */
export interface ApiKey {
  readonly tenant: string;
  readonly companyId: string;
  readonly scope: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  readonly validFrom: string;
  readonly validUntil: string;
  readonly last4: string;
}

/** An API key as administrators see it: `hash` is where it is stored. */
export interface IssuedApiKey extends ApiKey {
  readonly hash: string;
  readonly name: string;
  /** ISO 8601; a revoked key never becomes active again. */
  readonly revokedAt: string | null;
}

/** Where a user's records are to be found: the claims of a token, or what a login name points to. */
export interface UserReference {
  readonly tenant: string;
  readonly userId: string;
  readonly companyId: string;
  readonly supplierId: string | null;
}

/** The account that a login name identifies; `user` is null if the name does not exist. */
export interface ClaimedAccount {
  readonly tenant: string;
  readonly loginName: string;
  readonly user: UserReference | null;
}

/** Everything that decides whether a request may pass, read at one moment; null: no such record. */
export interface AccessSnapshot {
  readonly tenant: Tenant | null;
  readonly apiKey: ApiKey | null;
  readonly keyCompany: Company | null;
  readonly user: User | null;
  readonly userCompany: Company | null;
  readonly supplier: Supplier | null;
  readonly supplierCompany: Company | null;
}
