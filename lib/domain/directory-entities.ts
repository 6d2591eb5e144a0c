import type { DirectoryRecord, Entity, EntityKind, ToleranceRecord } from './directory-fields.ts';
import type { ToleranceConfig } from './tolerance.ts';

/** Converts the tolerance of a record; null if it has none. */
export function toToleranceConfig(record: ToleranceRecord | undefined): ToleranceConfig | null {
  if (!record) return null;
  const { mode, tolerance_pct: pct = null, tolerance_abs: abs = null, auto_approve: autoApprove } = record;
  return { mode, pct, abs, autoApprove };
}

/** Converts a tolerance to that of a record; undefined if it is null. */
export function toToleranceRecord(config: ToleranceConfig | null): ToleranceRecord | undefined {
  if (!config) return undefined;
  const { mode, pct, abs, autoApprove } = config;
  return { mode, ...(pct && { tolerance_pct: pct }), ...(abs && { tolerance_abs: abs }), auto_approve: autoApprove };
}

/** Converts the cutoff of a user or an account to Unix milliseconds; 0 if no session has been ended. */
export function toTokensNotBeforeMs(time: string | undefined): number {
  return time === undefined ? 0 : Date.parse(time);
}

/**
 * Converts records of each kind to what requests use of them. The code is explicit, so that the functions need only the
 * types of the table of fields.
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
    active: record.active,
    licenseActive: record.license_active,
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
  login: (record) => ({
    userId: record.user_id,
    companyId: record.company_id,
    supplierId: record.supplier_id ?? null,
  }),
} as const satisfies { readonly [Kind in EntityKind | 'login']: (record: DirectoryRecord<Kind>) => Entity<Kind> };
