import type { DirectoryRecord, RecordKind } from '../../admin/ports/directory-records.ts';
import type { ApiKey, Company, Supplier, Tenant, User } from '../../domain/directory.ts';
import type { Decimal } from '../../domain/money.ts';
import type { ToleranceConfig } from '../../domain/tolerance.ts';
import { type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';

/** Attributes as they are stored, with their numbers. */
type Stored<Value> = Value extends Decimal
  ? StoredNumber
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? { [Name in keyof Value]: Stored<Value[Name]> }
      : Value;

/** The stored attributes of each kind of record, without its key; accounts have more, which only logins write. */
export type DirectoryItems = { [Kind in RecordKind]: Stored<DirectoryRecord<Kind>> };

type ToleranceItem = NonNullable<DirectoryItems['tenant']['tolerance']>;

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
