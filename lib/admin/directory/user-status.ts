import type { DirectoryRecord } from '../../storage/directory/directory-records.ts';

/** The record of a user. */
export type UserRecord = DirectoryRecord<'user'>;

/** Whether a user is let in, by its own record, and else the first reason why not. */
export function userStatus(
  { active, license_active: isLicensed, expires_at: expiresAt }: UserRecord,
  now: Date,
): 'ACTIVE' | 'INACTIVE' | 'NO_LICENSE' | 'EXPIRED' {
  if (!active) return 'INACTIVE';
  if (!isLicensed) return 'NO_LICENSE';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime() ? 'EXPIRED' : 'ACTIVE';
}
