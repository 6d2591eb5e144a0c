import type { DirectoryRecord } from '../../domain/directory-fields.ts';
import { nextTokenCutoff } from '../../domain/sessions.ts';
import { systemClock } from '../../runtime/clock.ts';
import { OperatorError } from '../operator-error.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { keysIn } from '../../domain/record-keys.ts';
import type { RecordChange } from '../../storage/directory/directory-records.ts';
import { changeDirectory, type ChangeResult, type DirectoryChange } from './change-directory.ts';
import { collectNames, findPasswordError, toPasswordHash } from './passwords.ts';
import { DirectorySnapshot } from './snapshot.ts';
import { markSuspended } from './suspensions.ts';

/** A reference to a user of a tenant: its id, e-mail or username; digits alone are an id. */
export interface UserRef {
  readonly tenant: string;
  readonly user: string;
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
export function setUserActive(
  ports: Pick<AdminPorts, 'records'>,
  ref: UserRef,
  active: boolean,
): Promise<ChangeResult> {
  return changeExistingUser(ports, ref, async ({ user, account }) => {
    const changed = { ...user, active, stopped_at: markSuspended(!active, user.stopped_at) };
    return { user: changed, account, endsSessions: !active && user.stopped_at === undefined };
  });
}

/** Ends the sessions of a user: its tokens are rejected, and the user can log in again. */
export function endSessions(ports: Pick<AdminPorts, 'records'>, ref: UserRef): Promise<ChangeResult> {
  return changeExistingUser(ports, ref, async (stored) => ({ ...stored, endsSessions: true }));
}

/** Sets the password of a user, and ends its sessions; throws an OperatorError if the password is not allowed. */
export function setPassword(
  ports: Pick<AdminPorts, 'records' | 'demoPassword'>,
  ref: UserRef,
  password: string,
): Promise<ChangeResult> {
  const { tenant } = ref;
  return changeExistingUser(ports, ref, async ({ user, account }, directory) => {
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
  ref: UserRef,
): Promise<ChangeResult> {
  const { tenant } = ref;
  const { user_id, email } = (await findUser(new DirectorySnapshot(records), ref)).user;
  const failures = await accountLocks.countFailures(tenant, user_id);
  if (failures > 0) await accountLocks.clearFailures(tenant, user_id);
  const changes = failures > 0 ? [{ property: 'failures', before: failures, after: 0 }] : [];
  const subject = { kind: 'user', tenant, user_id, email } as const;
  return { subject, outcome: failures > 0 ? 'changed' : 'left', changes, keptOverrides: [], generatedKey: undefined };
}

type StoredUser = Awaited<ReturnType<typeof findUser>>;

function changeExistingUser(
  { records }: Pick<AdminPorts, 'records'>,
  ref: UserRef,
  change: (stored: StoredUser, directory: DirectorySnapshot) => Promise<ChangedUser>,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) =>
    planUser(directory, ref.tenant, await change(await findUser(directory, ref), directory)),
  );
}

/** Reads a user and its account; throws an OperatorError if the user does not exist. */
async function findUser(directory: DirectorySnapshot, { tenant, user: name }: UserRef) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  const user = await directory.getExisting(keys.user(login?.user_id ?? ''), name);
  return { user, account: await directory.get(keys.account(user.user_id)) };
}
