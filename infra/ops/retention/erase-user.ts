import { nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { findAnyUser } from '../directory/access-commands.ts';
import { changeDirectory, type ChangeResult, DirectorySnapshot } from '../directory/change-directory.ts';
import { listLoginNames } from '../directory/plan-entry.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn, type RecordChange } from '../tables/directory-records.ts';

/** The text about copies of erased data that no command can erase. */
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
  .action((tenant, name, options) =>
    runCommand(options, async ({ ports, output, confirm }) => {
      await confirm(async () => {
        const user = await findAnyUser(new DirectorySnapshot(ports.records), tenant, name);
        if (user.erased_at !== undefined) return null;
        return `Erase user ${user.user_id} (${user.email}) of ${tenant}? No command can undo this.`;
      });
      const { outcome, user_id: userId } = await eraseUser(ports, tenant, name);
      const isErased = outcome === 'changed';
      output.line(`User ${userId} of ${tenant}: ${isErased ? 'erased.' : 'already erased.'}`);
      output.line(REMAINING_COPIES);
      output.document({ tenant, user_id: userId, changed: isErased, remaining: REMAINING_COPIES });
    }),
  );

/**
 * Erases a user in one transaction. Its record and its account are replaced by `erased_at`, so that neither a command
 * nor a login that has already begun writes its data again. Throws an OperatorError if the user does not exist.
 */
export function eraseUser({ records }: AdminPorts, tenant: string, name: string): Promise<ChangeResult> {
  const keys = keysIn(tenant);
  return changeDirectory(records, async (directory) => {
    const user = await findAnyUser(directory, tenant, name);
    const { user_id, company_id, email, username, tokens_from, erased_at } = user;
    const key = keys.user(user_id);
    if (erased_at !== undefined) return { changes: [{ key, before: user }] };

    const now = systemClock.now();
    const erasure = { erased_at: now.toISOString(), tokens_from: nextTokenCutoff(now, tokens_from) };
    const after = { user_id, company_id, permissions: [], active: false, license_active: false, ...erasure };
    const account = await directory.get(keys.account(user_id));
    const logins: RecordChange[] = [];
    for (const loginName of new Set(listLoginNames(user))) {
      const loginKey = keys.login(loginName);
      const login = await directory.get(loginKey);
      if (login?.user_id === user_id) logins.push({ key: loginKey, before: { user_id }, after: null });
    }
    return {
      changes: [
        { key, before: { user_id, email, username, erased_at }, after, replacesRecord: true },
        { key: keys.account(user_id), before: account && {}, after: erasure, replacesRecord: true },
        ...logins,
      ],
    };
  });
}
