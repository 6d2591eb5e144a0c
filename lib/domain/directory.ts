import type { Entity } from './directory-fields.ts';

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
export type Tenant = Entity<'tenant'>;

/** A company; while it is suspended none of its users and keys works. */
export type Company = Entity<'company'>;

/** A supplier (prestador), the owner of invoices. */
export type Supplier = Entity<'supplier'>;

/** A user; `expiresAt` is ISO 8601. `tokensNotBeforeMs` is its cutoff, see Session. */
export type User = Entity<'user'>;

/** An API key as it is stored; the validity bounds are ISO 8601, `last4` is all that is kept of its text. */
export type ApiKey = Entity<'api_key'>;

/** Where a user's records are to be found: the claims of a token, or what a login name points to. */
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
