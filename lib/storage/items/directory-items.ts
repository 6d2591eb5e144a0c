import type { ApiKey, Company, IssuedApiKey, Supplier, Tenant, User } from '../../domain/directory.ts';
import type { ToleranceConfig, ToleranceMode } from '../../domain/tolerance.ts';
import { fromDecimal, type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';

/** A configured tolerance as it is stored. */
export interface ToleranceItem {
  readonly mode: ToleranceMode;
  readonly tolerance_pct?: StoredNumber;
  readonly tolerance_abs?: StoredNumber;
  readonly auto_approve: boolean;
}

/** The stored attributes of each kind of record, without its key. */
export interface DirectoryItems {
  tenant: { tenant: string; tolerance?: ToleranceItem };
  company: { company_id: string; name: string; status: Company['status']; stopped_at?: string };
  supplier: { supplier_id: string; name: string; company_id: string; tolerance?: ToleranceItem };
  user: {
    user_id: string;
    company_id: string;
    email: string;
    username?: string;
    supplier_id?: string;
    permissions: string[];
    active: boolean;
    stopped_at?: string;
    license_active: boolean;
    expires_at?: string;
    tokens_from?: string;
    player_ids?: string[];
  };
  /** Whose name it is; `username`: it is not the e-mail. */
  login: { user_id: string; company_id: string; supplier_id?: string; username?: true };
  /** `tokens_from` is that of the user. Beside it the account's failures and known sources, which only logins write. */
  account: { password_hash?: string; tokens_from?: string };
  apiKey: {
    tenant: string;
    company_id: string;
    name: string;
    scope: string;
    status: ApiKey['status'];
    valid_from: string;
    valid_until: string;
    last4: string;
    revoked_at?: string;
  };
  apiKeyName: { key_hash: string };
  listedApiKey: { key_hash: string };
}

/** The stored form of a configured tolerance. */
export function fromTolerance(config: ToleranceConfig): ToleranceItem {
  return {
    mode: config.mode,
    ...(config.pct && { tolerance_pct: fromDecimal(config.pct) }),
    ...(config.abs && { tolerance_abs: fromDecimal(config.abs) }),
    auto_approve: config.autoApprove,
  };
}

function toTolerance(item: ToleranceItem | undefined): ToleranceConfig | null {
  if (!item) return null;
  return {
    mode: item.mode,
    pct: item.tolerance_pct ? toDecimal(item.tolerance_pct) : null,
    abs: item.tolerance_abs ? toDecimal(item.tolerance_abs) : null,
    autoApprove: item.auto_approve,
  };
}

/** From when on the tokens of a user or an account are valid, in Unix milliseconds; 0: always. */
export function toTokensFromMs({ tokens_from: time }: { readonly tokens_from?: string }): number {
  return time === undefined ? 0 : Date.parse(time);
}

/** Reads each kind of record from its stored attributes. */
export const readDirectoryItem = {
  tenant: (item: DirectoryItems['tenant']): Tenant => ({ tenant: item.tenant, tolerance: toTolerance(item.tolerance) }),
  company: (item: DirectoryItems['company']): Company => ({ companyId: item.company_id, status: item.status }),
  supplier: (item: DirectoryItems['supplier']): Supplier => ({
    supplierId: item.supplier_id,
    companyId: item.company_id,
    tolerance: toTolerance(item.tolerance),
  }),
  user: (item: DirectoryItems['user']): User => ({
    userId: item.user_id,
    companyId: item.company_id,
    supplierId: item.supplier_id ?? null,
    email: item.email,
    permissions: item.permissions,
    active: item.active,
    licenseActive: item.license_active,
    expiresAt: item.expires_at ?? null,
    tokensFromMs: toTokensFromMs(item),
    playerIds: item.player_ids ?? [],
  }),
  apiKey: (item: DirectoryItems['apiKey']): ApiKey => ({
    tenant: item.tenant,
    companyId: item.company_id,
    scope: item.scope,
    status: item.status,
    validFrom: item.valid_from,
    validUntil: item.valid_until,
    last4: item.last4,
  }),
} as const;

/** Reads an API key with what only administrators see. */
export function readIssuedApiKey(hash: string, item: DirectoryItems['apiKey']): IssuedApiKey {
  return {
    ...readDirectoryItem.apiKey(item),
    hash,
    name: item.name,
    revokedAt: item.revoked_at ?? null,
  };
}
