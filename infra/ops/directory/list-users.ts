import { listOf } from '../../../lib/admin/directory/list-of.ts';
import { type UserRecord, userStatus } from '../../../lib/admin/directory/user-status.ts';
import { userValue } from '../../../lib/admin/export/file-values.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';

const HEADER = ['user', 'e-mail', 'username', 'company', 'supplier', 'status', 'permissions'];

/** `list-users`: the users of a tenant, and whether they are let in. */
export const listUsersCommand = defineCommand('list-users', {
  summary: 'List the users of a tenant, and whether they are let in.',
  example: 'list-users demo.example --company 100 --local',
})
  .argument('<tenant>', 'the tenant')
  .option('--company <company>', 'only those of this company')
  .action((tenant, { company, ...options }) =>
    runCommand(options, async ({ installation, output }) => {
      const now = systemClock.now();
      const pages = await listOf(installation, 'user', tenant, company);
      await output.list({ tenant }, 'users', pages, {
        header: HEADER,
        toRow: (user) => toRow(user, now),
        toDocument: (user) => toDocument(user, now),
      });
      return EXIT.done;
    }),
  );

function toRow(user: UserRecord, now: Date): string[] {
  const { user_id: id, email, username = '-', company_id: company, supplier_id: supplier = '-', permissions } = user;
  return [id, email, username, company, supplier, userStatus(user, now), permissions.join(', ')];
}

function toDocument(user: UserRecord, now: Date) {
  const { username = null, supplier_id = null, expires_at = null, stopped_at = null } = user;
  return { ...userValue(user), username, supplier_id, expires_at, stopped_at, status: userStatus(user, now) };
}
