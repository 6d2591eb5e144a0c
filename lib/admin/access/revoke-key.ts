import type { IssuedApiKey } from '../../domain/directory.ts';
import type { Clock } from '../../runtime/clock.ts';
import { changeDirectory, existing } from '../directory/change-directory.ts';
import { placesIn } from '../directory/directory-state.ts';
import { planRecords } from '../directory/plan.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { findApiKey } from './find-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';

/** Which API key: whole or by its last 4 characters; company and name, if several end so. */
export interface KeyName {
  readonly tenant: string;
  readonly key: string;
  readonly company?: string | undefined;
  readonly name?: string | undefined;
}

/** The one key of this name; throws an OperatorError when there is none, or are several. */
export async function keyNamed(
  installation: Pick<Installation, 'records' | 'lists'>,
  { tenant, key, company, name }: KeyName,
): Promise<IssuedApiKey> {
  return findApiKey(await listApiKeys(installation, tenant, company), key, name);
}

/** Revokes an API key: it never works again. */
export async function revokeKey(
  { records, lists }: Pick<Installation, 'records' | 'lists'>,
  keyName: KeyName,
  clock: Clock,
): Promise<EntryResult> {
  const { tenant } = keyName;
  const key = await keyNamed({ records, lists }, keyName);
  const place = placesIn(tenant).apiKey(key.hash);
  const subject = { kind: 'api_key', tenant, company_id: key.companyId, name: key.name } as const;
  const revoked = { status: 'INACTIVE', revoked_at: clock.now().toISOString() } as const;
  return changeDirectory(records, {
    tenant,
    needs: () => [place],
    async plan(state) {
      const record = existing(state, place, `such key in ${tenant}`);
      const after = record.revoked_at === undefined ? { ...record, ...revoked } : record;
      return { subject, ...planRecords(state.changeTo(place, after)) };
    },
  });
}
