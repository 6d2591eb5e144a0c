import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { listRecords } from '../directory/read-directory.ts';
import { type ExitCode, OperatorError } from '../operator-errors.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { runErasure } from './run-erasure.ts';

export const eraseSupplierCommand = defineCommand('erase-supplier', {
  summary:
    'Erase a supplier with its invoices, declarations and users, permanently. Its company must be suspended or, if ' +
    'the company has other suppliers, the users of the supplier must be deactivated.',
  example: 'erase-supplier demo.example 204 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<supplier>', 'the id of the supplier')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, supplierId, options) =>
    runCommand(options, (session) => eraseSupplier(session, tenant, supplierId)),
  );

export const eraseTenantCommand = defineCommand('erase-tenant', {
  summary: 'Erase a tenant with all its data, permanently. Its companies must be suspended.',
  example: 'erase-tenant sur.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, options) => runCommand(options, (session) => eraseTenant(session, tenant)));

async function eraseSupplier(session: Session, tenant: string, supplierId: string): Promise<ExitCode> {
  const { ports } = session;
  const key = keysIn(tenant).supplier(supplierId);
  const supplier = await new DirectorySnapshot(ports.records).getExisting(key);
  const tenantUsers = await listUsers(session, tenant);
  const users = tenantUsers.filter((user) => user.supplier_id === supplierId);
  const companySuppliers = await collectPages(listRecords(ports, 'supplier', tenant, supplier.company_id));
  if (companySuppliers.length === 1) {
    await requireSuspendedCompanies(session, tenant, supplier.company_id);
  } else {
    // A suspended company would lock out the users of its other suppliers.
    requireInactiveUsers(tenant, users);
  }
  return runErasure(session, {
    tenant,
    supplierId,
    subject: `supplier ${supplierId} (${supplier.name}) of ${tenant}`,
    suppliers: [supplier],
    users,
    async eraseRecords() {
      const before = { company_id: supplier.company_id };
      const isErased = await ports.records.commit({ key, before, after: null });
      if (!isErased) throw new Error('Others have changed the supplier. Run the command again.');
    },
  });
}

async function eraseTenant(session: Session, tenant: string): Promise<ExitCode> {
  const { ports } = session;
  await requireSuspendedCompanies(session, tenant);
  return runErasure(session, {
    tenant,
    supplierId: undefined,
    subject: `tenant ${tenant}`,
    suppliers: await collectPages(listRecords(ports, 'supplier', tenant)),
    users: await listUsers(session, tenant),
    eraseRecords: () => ports.records.deleteTenant(tenant),
  });
}

/** Lists the users of a tenant that are not erased. */
async function listUsers({ ports }: Session, tenant: string): Promise<ListedRecord<'user'>[]> {
  const users = await collectPages(listRecords(ports, 'user', tenant));
  return users.filter((user) => user.erased_at === undefined);
}

/** Throws an OperatorError unless a company or, without an id, all companies of a tenant are suspended. */
async function requireSuspendedCompanies({ ports }: Session, tenant: string, companyId?: string): Promise<void> {
  const companies = await collectPages(listRecords(ports, 'company', tenant, companyId));
  const active = companies.find(({ status }) => status !== 'SUSPENDED');
  if (!active) return;
  const advice = `Run suspend-company ${tenant} ${active.company_id} first.`;
  throw new OperatorError(`Nothing was erased: company ${active.company_id} is not suspended. ${advice}`);
}

/** Throws an OperatorError unless all users are deactivated. */
function requireInactiveUsers(tenant: string, users: readonly ListedRecord<'user'>[]): void {
  const active = users.find((user) => user.active);
  if (!active) return;
  const advice = `Run deactivate-user ${tenant} ${active.user_id} first.`;
  throw new OperatorError(`Nothing was erased: user ${active.user_id} of the supplier is active. ${advice}`);
}
