import type { DirectoryRecord, EntityKind, ToleranceRecord } from './directory-fields.ts';
import type { ToleranceConfig } from './tolerance.ts';

export const PERMISSIONS = { read: 'APICLI_PORTALPROVEEDOR_READ', write: 'APICLI_PORTALPROVEEDOR_WRITE' } as const;

/** The kind of access of an endpoint. It determines the required permission and the rate limit. */
export type AccessKind = keyof typeof PERMISSIONS;

/** The integration scope that an API key needs for this service. */
export const API_KEY_SCOPE = 'SUPPLIER_PORTAL';

/** Folds a login name: users may write it in another case or Unicode form, and with blanks around it. */
export const foldLoginName = (name: string): string => name.trim().toLowerCase().normalize('NFC');

export function toToleranceConfig(record: ToleranceRecord | undefined): ToleranceConfig | null {
  if (!record) return null;
  const { mode, tolerance_pct: pct = null, tolerance_abs: abs = null, auto_approve: autoApprove } = record;
  return { mode, pct, abs, autoApprove };
}

/** Converts the cutoff `tokens_from` to Unix milliseconds. Returns 0 if no session has been ended. */
export function toTokensNotBeforeMs(time: string | undefined): number {
  return time === undefined ? 0 : Date.parse(time);
}

/**
 * Converts a record of each kind to the properties that requests use. An absent field becomes null, an absent list
 * becomes empty, and an absent cutoff becomes 0. RECORD_FIELDS is not used, so that no bundle contains that table.
 */
export const toEntity = {
  tenant: ({ tenant, tolerance }) => ({ tenant, tolerance: toToleranceConfig(tolerance) }),
  company: ({ company_id: companyId, status }) => ({ companyId, status }),
  supplier: (record) => ({
    supplierId: record.supplier_id,
    companyId: record.company_id,
    tolerance: toToleranceConfig(record.tolerance),
  }),
  user: (record) => ({
    userId: record.user_id,
    companyId: record.company_id,
    email: record.email,
    supplierId: record.supplier_id ?? null,
    permissions: record.permissions,
    isActive: record.active,
    hasActiveLicense: record.license_active,
    expiresAt: record.expires_at ?? null,
    tokensNotBeforeMs: toTokensNotBeforeMs(record.tokens_from),
    playerIds: record.player_ids ?? [],
  }),
  api_key: (record) => ({
    tenant: record.tenant,
    companyId: record.company_id,
    scope: record.scope,
    status: record.status,
    validFrom: record.valid_from,
    validUntil: record.valid_until,
    last4: record.last4,
  }),
  login: (record) => ({ userId: record.user_id, companyId: record.company_id, supplierId: record.supplier_id ?? null }),
} as const satisfies { readonly [Kind in EntityKind | 'login']: (record: DirectoryRecord<Kind>) => object };

export type Entity<Kind extends keyof typeof toEntity> = Readonly<ReturnType<(typeof toEntity)[Kind]>>;

/** A user. `expiresAt` is an ISO 8601 text. A token that contains another `tokensNotBeforeMs` is revoked. */
export type User = Entity<'user'>;

/** A stored API key. `validFrom` and `validUntil` are ISO 8601 texts. Of the key itself, only `last4` is readable. */
export type ApiKey = Entity<'api_key'>;

/** The ids of a user, its company and its supplier, as a token or a login name refers to them. */
export interface UserReference extends Entity<'login'> {
  readonly tenant: string;
}

/** The account of a login name. `user` is null if no user has this login name. */
export interface LoginAccount {
  readonly tenant: string;
  readonly loginName: string;
  readonly user: UserReference | null;
}

/** The records that the access check needs. A record that does not exist is null. */
export interface AccessSnapshot {
  readonly tenant: Entity<'tenant'> | null;
  readonly apiKey: ApiKey | null;
  readonly keyCompany: Entity<'company'> | null;
  readonly user: User | null;
  readonly userCompany: Entity<'company'> | null;
  readonly supplier: Entity<'supplier'> | null;
  readonly supplierCompany: Entity<'company'> | null;
}
