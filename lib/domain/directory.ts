import type { Entity } from './directory-fields.ts';

/** The permissions of the supplier portal. */
export const PERMISSIONS = {
  read: 'APICLI_PORTALPROVEEDOR_READ',
  write: 'APICLI_PORTALPROVEEDOR_WRITE',
} as const;

/** The kind of an endpoint, which determines its permission and its limit. */
export type AccessKind = keyof typeof PERMISSIONS;

/** The one integration scope that opens this service. */
export const API_KEY_SCOPE = 'SUPPLIER_PORTAL';

/** A tenant, with the tolerance of its suppliers that have none of their own. */
export type Tenant = Entity<'tenant'>;

/** A company; while it is suspended none of its users and keys works. */
export type Company = Entity<'company'>;

/** A supplier (prestador), the owner of invoices. */
export type Supplier = Entity<'supplier'>;

/** A user; `expiresAt` is ISO 8601. `tokensNotBeforeMs` is its cutoff, see Session. */
export type User = Entity<'user'>;

/** A stored API key. The bounds of its validity are ISO 8601. Only the last 4 characters of its text are stored. */
export type ApiKey = Entity<'api_key'>;

/** The keys of a user's records, from the claims of a token or from a login name. */
export interface UserReference extends Entity<'login'> {
  readonly tenant: string;
}

/** The account that a login name identifies; `user` is null if the name does not exist. */
export interface LoginAccount {
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
