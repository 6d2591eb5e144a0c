import type { IssuedApiKey } from '../../domain/directory.ts';
import { assertOwner } from '../directory/list-of.ts';
import type { Installation } from '../installation.ts';

/**
 * The API keys of a tenant, or of one of its companies, by company and name; throws an OperatorError when there is no
 * such.
 */
export async function listApiKeys(
  { records, lists }: Pick<Installation, 'records' | 'lists'>,
  tenant: string,
  companyId: string | undefined,
): Promise<IssuedApiKey[]> {
  await assertOwner({ records }, tenant, companyId);
  const keys = await lists.apiKeys(tenant);
  return keys
    .filter((key) => companyId === undefined || key.companyId === companyId)
    .toSorted((a, b) => order(a).localeCompare(order(b), 'en', { numeric: true }));
}

/** The status of a key: also whether it was revoked, or is active and past its end. */
export function apiKeyStatus(
  { status, validUntil, revokedAt }: IssuedApiKey,
  now: Date,
): IssuedApiKey['status'] | 'REVOKED' | 'EXPIRED' {
  if (revokedAt !== null) return 'REVOKED';
  return status === 'ACTIVE' && Date.parse(validUntil) < now.getTime() ? 'EXPIRED' : status;
}

function order({ companyId, name, validFrom }: IssuedApiKey): string {
  return [companyId, name, validFrom].join('\n');
}
