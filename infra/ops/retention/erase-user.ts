import { nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { changeDirectory, DirectorySnapshot } from '../directory/change-directory.ts';
import type { ChangeResult } from '../directory/change-result.ts';
import { listLoginNames } from '../directory/plan-user.ts';
import { getUserOrErasedUser } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn, type RecordChange } from '../tables/directory-records.ts';

export const REMAINING_COPIES =
  'What remains elsewhere: logs (in production 90 days), point-in-time recovery (35 days), exported files, and names ' +
  'in free text (notes, reasons, --by).';

export const eraseUserCommand = defineCommand('erase-user', {
  summary:
    'Erase the e-mail, username, player ids, password and logins of a user, permanently. Only its id remains, because ' +
    'the histories of invoices contain it.',
  example: 'erase-user demo.example hugo@demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', 'the id (only digits), e-mail or username of the user')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, userName, options) =>
    runCommand(options, (session) => confirmAndEraseUser(session, tenant, userName)),
  );

async function confirmAndEraseUser({ ports, output, confirm }: Session, tenant: string, userName: string) {
  await confirm(async () => {
    const user = await getUserOrErasedUser(new DirectorySnapshot(ports.records), tenant, userName);
    // Without a question, the command continues without a confirmation.
    if (user.erased_at !== undefined) return null;
    return `Erase user ${user.user_id} (${user.email}) of ${tenant}? No command can undo this.`;
  });
  const { outcome, user_id: userId } = await eraseUser(ports, tenant, userName);
  const isErased = outcome === 'changed';
  output.line(`User ${userId} of ${tenant}: ${isErased ? 'erased.' : 'already erased.'}`);
  output.line(REMAINING_COPIES);
  output.document({ tenant, user_id: userId, changed: isErased, remaining: REMAINING_COPIES });
}

/**
 * Erases a user in one transaction. Its record and its account are replaced by `erased_at`, so that neither a command
 * nor a login that has already begun writes its data again. `userName` is the id, e-mail or username. Throws an
 * OperatorError if the user does not exist.
 */
export function eraseUser({ records }: AdminPorts, tenant: string, userName: string): Promise<ChangeResult> {
  const keys = keysIn(tenant);
  return changeDirectory(records, async (directory) => {
    const user = await getUserOrErasedUser(directory, tenant, userName);
    const { user_id, company_id, email, username, tokens_from, erased_at } = user;
    const userKey = keys.user(user_id);
    if (erased_at !== undefined) return { entity: { key: userKey, before: user }, relatedChanges: [] };

    const now = systemClock.now();
    const erasure = { erased_at: now.toISOString(), tokens_from: nextTokenCutoff(now, tokens_from) };
    const after = { user_id, company_id, permissions: [], active: false, license_active: false, ...erasure };
    const accountKey = keys.account(user_id);
    const account = await directory.get(accountKey);
    // The attributes of an account, such as its failed logins, can change at any time, so they are not compared.
    const accountBefore = account ? {} : null;
    return {
      entity: { key: userKey, before: { user_id, email, username, erased_at }, after, replacesRecord: true },
      relatedChanges: [
        { key: accountKey, before: accountBefore, after: erasure, replacesRecord: true },
        ...(await planLoginErasures(directory, tenant, user)),
      ],
    };
  });
}

/** Plans the deletions of the login names of a user. Omits a login name that belongs to another user now. */
async function planLoginErasures(directory: DirectorySnapshot, tenant: string, user: DirectoryRecord<'user'>) {
  const { user_id } = user;
  const changes: RecordChange[] = [];
  for (const loginName of new Set(listLoginNames(user))) {
    const key = keysIn(tenant).login(loginName);
    const login = await directory.get(key);
    if (login?.user_id === user_id) changes.push({ key, before: { user_id }, after: null });
  }
  return changes;
}
