import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import type { Company } from '../../../lib/domain/directory.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import { nextTokenCutoff } from '../../../lib/domain/sessions.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { RecordChange } from '../../../lib/storage/directory/directory-records.ts';
import { OperatorError } from '../operator-error.ts';
import { changeDirectory, type ChangeResult, type DirectoryChange } from './change-directory.ts';
import { listApiKeys, listRecords } from './read-directory.ts';
import { collectNames, findPasswordError, toPasswordHash } from './passwords.ts';
import { DirectorySnapshot } from './snapshot.ts';
import { markSuspended } from './suspensions.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** Reads a company, and counts its suppliers, users and API keys; throws an OperatorError if it does not exist. */
export async function readCompanySize(ports: Ports, tenant: string, companyId: string) {
  const company = await new DirectorySnapshot(ports.records).getExisting(keysIn(tenant).company(companyId));
  const [suppliers, users, apiKeys] = await Promise.all([
    collectPages(listRecords(ports, 'supplier', tenant, companyId)),
    collectPages(listRecords(ports, 'user', tenant, companyId)),
    listApiKeys(ports, tenant, companyId),
  ]);
  const unrevoked = apiKeys.filter(({ revoked_at }) => revoked_at === undefined);
  return { company, suppliers: suppliers.length, users: users.length, apiKeys: unrevoked.length };
}

/** Sets the status of a company. A suspension is marked, so that `apply` does not end it. */
export function setCompanyStatus(
  { records }: Ports,
  tenant: string,
  companyId: string,
  status: Company['status'],
): Promise<ChangeResult> {
  const key = keysIn(tenant).company(companyId);
  return changeDirectory(records, async (directory) => {
    const company = await directory.getExisting(key);
    const stoppedAt = markSuspended(status === 'SUSPENDED', company.stopped_at);
    return { record: await directory.planChange(key, { ...company, status, stopped_at: stoppedAt }) };
  });
}

/** A user and its account (null: none) after a change, with the `tokens_from` before it. */
export interface ChangedUser {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  /** True if all tokens of the user are rejected from now on. */
  readonly endsSessions: boolean;
  /** The changes of other records, in the same transaction. */
  readonly others?: readonly RecordChange[];
}

/** Plans the change of a user and its account. */
export async function planUser(
  directory: DirectorySnapshot,
  tenant: string,
  { user, account, endsSessions, others = [] }: ChangedUser,
): Promise<DirectoryChange> {
  const keys = keysIn(tenant);
  const { user_id } = user;
  const ended = endsSessions ? { tokens_from: nextTokenCutoff(systemClock.now(), user.tokens_from) } : {};
  const accountChanges = account ? [await directory.planChange(keys.account(user_id), { ...account, ...ended })] : [];
  return {
    record: await directory.planChange(keys.user(user_id), { ...user, ...ended }),
    others: [...accountChanges, ...others],
  };
}

/** Activates or deactivates a user. A deactivation ends all sessions, and is marked, so that `apply` keeps it. */
export function setUserActive(ports: Ports, tenant: string, name: string, active: boolean): Promise<ChangeResult> {
  return changeExistingUser(ports, tenant, name, async ({ user, account }) => {
    const changed = { ...user, active, stopped_at: markSuspended(!active, user.stopped_at) };
    return { user: changed, account, endsSessions: !active && user.stopped_at === undefined };
  });
}

/** Ends the sessions of a user: its tokens are rejected, and the user can log in again. */
export function endSessions(ports: Ports, tenant: string, name: string): Promise<ChangeResult> {
  return changeExistingUser(ports, tenant, name, async (stored) => ({ ...stored, endsSessions: true }));
}

/** Sets the password of a user, and ends its sessions; throws an OperatorError if the password is not allowed. */
export function setPassword(
  ports: Pick<AdminPorts, 'records' | 'demoPassword'>,
  tenant: string,
  name: string,
  password: string,
): Promise<ChangeResult> {
  return changeExistingUser(ports, tenant, name, async ({ user, account }, directory) => {
    const company = await directory.get(keysIn(tenant).company(user.company_id));
    const error =
      password === ports.demoPassword ? null : findPasswordError(password, collectNames(tenant, user, company));
    if (error) throw new OperatorError(`The password ${error}.`);
    const hash = await toPasswordHash(password, account?.password_hash);
    const changed = { ...account, password_hash: hash };
    return { user, account: changed, endsSessions: hash !== account?.password_hash };
  });
}

/** Clears the failed logins of a user's account in the current window; keeps its trusted sources. */
export async function unlockUser(
  { records, accountLocks }: Pick<AdminPorts, 'records' | 'accountLocks'>,
  tenant: string,
  name: string,
): Promise<ChangeResult> {
  const { user_id, email } = (await findUser(new DirectorySnapshot(records), tenant, name)).user;
  const failures = await accountLocks.countFailures(tenant, user_id);
  if (failures > 0) await accountLocks.clearFailures(tenant, user_id);
  const subject = { kind: 'user', tenant, user_id, email } as const;
  if (failures === 0) return { ...subject, outcome: 'left', changes: [] };
  return { ...subject, outcome: 'changed', changes: [{ property: 'failures', before: failures, after: 0 }] };
}

type StoredUser = Awaited<ReturnType<typeof findUser>>;

function changeExistingUser(
  { records }: Ports,
  tenant: string,
  name: string,
  change: (stored: StoredUser, directory: DirectorySnapshot) => Promise<ChangedUser>,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) =>
    planUser(directory, tenant, await change(await findUser(directory, tenant, name), directory)),
  );
}

/** Finds a user and its account by id (digits), e-mail or username; throws an OperatorError if it does not exist. */
async function findUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  const user = await directory.getExisting(keys.user(login?.user_id ?? ''), name);
  return { user, account: await directory.get(keys.account(user.user_id)) };
}
