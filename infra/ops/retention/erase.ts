import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { listRecords } from '../directory/read-directory.ts';
import { type ExitCode, OperatorError } from '../operator-errors.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { runErasure } from './run-erasure.ts';

export const eraseSupplierCommand = defineCommand('erase-supplier', {
  summary:
    'Erase a supplier with its invoices, declarations and users, permanently. Its users must be deactivated, or its ' +
    'company suspended.',
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
  const { records } = session.ports;
  const keys = keysIn(tenant);
  const directory = new DirectorySnapshot(records);
  const supplier = await directory.getExisting(keys.supplier(supplierId));
  const company = await directory.getExisting(keys.company(supplier.company_id));
  const users = await listUsers(session, tenant);
  const supplierUsers = users.filter((user) => user.supplier_id === supplierId);
  const activeUser = supplierUsers.find((user) => user.active);
  if (activeUser && company.status !== 'SUSPENDED') {
    const advice = `Run deactivate-user ${tenant} ${activeUser.user_id} first.`;
    throw new OperatorError(`Nothing was erased: user ${activeUser.user_id} of the supplier is active. ${advice}`);
  }
  return runErasure(session, {
    tenant,
    supplierId,
    subject: `supplier ${supplierId} (${supplier.name}) of ${tenant}`,
    suppliers: [supplier],
    users: supplierUsers,
    async eraseRecords() {
      const before = { company_id: supplier.company_id };
      const isErased = await records.commit({ key: keys.supplier(supplierId), before, after: null });
      if (!isErased) throw new Error('Others have changed the supplier. Run the command again.');
    },
  });
}

async function eraseTenant(session: Session, tenant: string): Promise<ExitCode> {
  const { ports } = session;
  const companies = await collectPages(listRecords(ports, 'company', tenant));
  const activeCompany = companies.find(({ status }) => status !== 'SUSPENDED');
  if (activeCompany) {
    const advice = `Run suspend-company ${tenant} ${activeCompany.company_id} first.`;
    throw new OperatorError(`Nothing was erased: company ${activeCompany.company_id} is not suspended. ${advice}`);
  }
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
