import { changeDirectory, type ChangeResult } from '../directory/change.ts';
import { changeUser } from '../directory/change-user.ts';
import { namesOf, passwordFault, passwordHashFor } from '../directory/passwords.ts';
import { keysIn } from '../ports/directory-records.ts';
import { DirectorySnapshot } from '../directory/snapshot.ts';
import { markStop } from '../directory/stops.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { OperatorError } from '../operator-error.ts';

/** A user by its id, e-mail or username; digits alone are an id. */
export interface UserName {
  readonly tenant: string;
  readonly user: string;
}

/** The user of this name, and its account; throws an OperatorError when there is none. */
async function findUser(directory: DirectorySnapshot, { tenant, user: name }: UserName) {
  const keys = keysIn(tenant);
  await directory.existing(keys.tenant, `tenant ${tenant}`);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  const user = await directory.existing(keys.user(login?.user_id ?? ''), `user ${name} in ${tenant}`);
  return { user, account: await directory.get(keys.account(user.user_id)) };
}

/**
 * Activates or deactivates a user; a deactivation is marked as a command's, so that no file ends it, and ends all
 * sessions.
 */
export function setUserActive(
  { records }: Pick<AdminPorts, 'records'>,
  name: UserName,
  active: boolean,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) => {
    const { user: stored, account } = await findUser(directory, name);
    const { stopped_at: since, ...rest } = stored;
    const user = { ...rest, active, ...markStop(!active, since) };
    return changeUser(directory, name.tenant, { user, account, endsSessions: !active && since === undefined });
  });
}

/** Ends the sessions of a user: its tokens are refused, and it may log in again. */
export function endSessions({ records }: Pick<AdminPorts, 'records'>, name: UserName): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) =>
    changeUser(directory, name.tenant, { ...(await findUser(directory, name)), endsSessions: true }),
  );
}

/** Gives a user a new password, and ends its sessions; throws an OperatorError when it must not be one. */
export function setPassword(
  { records, demoPassword }: Pick<AdminPorts, 'records' | 'demoPassword'>,
  name: UserName,
  password: string,
): Promise<ChangeResult> {
  const { tenant } = name;
  return changeDirectory(records, async (directory) => {
    const { user, account: stored } = await findUser(directory, name);
    const company = await directory.get(keysIn(tenant).company(user.company_id));
    const fault = password === demoPassword ? null : passwordFault(password, namesOf(tenant, user, company));
    if (fault) throw new OperatorError(`The password ${fault}.`);
    const hash = await passwordHashFor(password, stored?.password_hash);
    const account = { ...stored, password_hash: hash };
    return changeUser(directory, tenant, { user, account, endsSessions: hash !== stored?.password_hash });
  });
}

/** Clears the failed logins of a user's account in the current window; its trusted sources stay. */
export async function unlockUser(
  { records, accountLocks }: Pick<AdminPorts, 'records' | 'accountLocks'>,
  name: UserName,
): Promise<ChangeResult> {
  const { tenant } = name;
  const { user_id, email } = (await findUser(new DirectorySnapshot(records.read), name)).user;
  const failures = await accountLocks.countFailures(tenant, user_id);
  if (failures > 0) await accountLocks.clearFailures(tenant, user_id);
  const changes = failures > 0 ? [{ property: 'failures', before: failures, after: 0 }] : [];
  const subject = { kind: 'user', tenant, user_id, email } as const;
  return { subject, outcome: failures > 0 ? 'changed' : 'left', changes, leftAlone: [], generatedKey: undefined };
}
