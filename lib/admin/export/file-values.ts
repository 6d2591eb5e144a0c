import type { IssuedApiKey } from '../../domain/directory.ts';
import type { EntryValues, ToleranceValue } from '../apply/directory-schemas.ts';
import type { DirectoryRecord } from '../ports/directory-records.ts';
import type { MayHaveTolerance } from '../directory/tolerances.ts';

/** What a file of `apply` says of a tolerance; none when the record has none. */
function toleranceValue({ tolerance }: MayHaveTolerance): { tolerance?: ToleranceValue } {
  if (!tolerance) return {};
  const { mode, tolerance_pct: pct, tolerance_abs: abs, auto_approve } = tolerance;
  const limits = { ...(pct && { tolerance_pct: pct.toNumber() }), ...(abs && { tolerance_abs: abs.toNumber() }) };
  return { tolerance: { mode, ...limits, auto_approve } };
}

/** What a file says of a tenant, without its lists. */
export function tenantValue(record: DirectoryRecord<'tenant'>): EntryValues['tenant'] {
  return { tenant: record.tenant, ...toleranceValue(record) };
}

/** What a file says of a company. */
export function companyValue({ company_id, name, status }: DirectoryRecord<'company'>): EntryValues['company'] {
  return { company_id, name, status };
}

/** What a file says of a supplier. */
export function supplierValue(record: DirectoryRecord<'supplier'>): EntryValues['supplier'] {
  const { supplier_id, name, company_id } = record;
  return { supplier_id, name, company_id, ...toleranceValue(record) };
}

/** What a file says of a user, without its password. */
export function userValue(record: DirectoryRecord<'user'>): EntryValues['user'] {
  const { user_id, company_id, email, username, supplier_id, permissions, active, license_active, expires_at } = record;
  return {
    user_id,
    company_id,
    email,
    ...(username && { username }),
    ...(supplier_id && { supplier_id }),
    permissions: [...permissions],
    active,
    license_active,
    ...(expires_at && { expires_at }),
  };
}

/** What a file says of an API key, without the key. */
export function apiKeyValue(key: IssuedApiKey): EntryValues['api_key'] {
  return {
    company_id: key.companyId,
    name: key.name,
    scope: key.scope as EntryValues['api_key']['scope'],
    status: key.status,
    valid_from: key.validFrom,
    valid_until: key.validUntil,
  };
}
