import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { defineCommand, dryRunOption, runCommand, type Session, trapSignals, yesOption } from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { listRecords } from '../directory/read-directory.ts';
import { EXIT, type ExitCode, OperatorError } from '../operator-errors.ts';
import { PARALLEL_TRANSACTIONS } from '../tables/command-transaction.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { formatCount, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { eraseUser, REMAINING_COPIES } from './erase-user.ts';

/** The data that a command erases. */
interface Erasure {
  readonly tenant: string;
  /** The supplier that is erased; undefined if the whole tenant is erased. */
  readonly supplierId: string | undefined;
  /** The name of the erased part, such as `tenant sur.example`. */
  readonly subject: string;
  readonly suppliers: readonly ListedRecord<'supplier'>[];
  readonly users: readonly ListedRecord<'user'>[];
  /** Erases the record of the supplier, or all records of the tenant in Directory. Later imports are then rejected. */
  readonly eraseRecords: () => Promise<void>;
}

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

/** Erases a supplier. Throws an OperatorError if one of its users can still log in. */
async function eraseSupplier(session: Session, tenant: string, supplierId: string): Promise<ExitCode> {
  const { records } = session.ports;
  const keys = keysIn(tenant);
  const directory = new DirectorySnapshot(records);
  const supplier = await directory.getExisting(keys.supplier(supplierId));
  const company = await directory.getExisting(keys.company(supplier.company_id));
  const users = await listUnerasedUsers(session, tenant);
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
      // The supplier must still be in the company that was checked above.
      const before = { company_id: supplier.company_id };
      const isErased = await records.commit({ key: keys.supplier(supplierId), before, after: null });
      if (!isErased) throw new Error('Others have changed the supplier. Run the command again.');
    },
  });
}

/** Erases a tenant. Throws an OperatorError if one of its companies is not suspended. */
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
    users: await listUnerasedUsers(session, tenant),
    eraseRecords: () => ports.records.deleteTenant(tenant),
  });
}

async function listUnerasedUsers({ ports }: Session, tenant: string): Promise<ListedRecord<'user'>[]> {
  const users = await collectPages(listRecords(ports, 'user', tenant));
  return users.filter((user) => user.erased_at === undefined);
}

/** Asks for a confirmation, erases the data, and prints the counts. After an interruption, another run erases the rest. */
async function runErasure(session: Session, erasure: Erasure): Promise<ExitCode> {
  const { output, host, confirm } = session;
  const { tenant, supplierId, subject, users } = erasure;
  const userCount = formatCount(users.length, 'user', 'users');
  const question = `Erase ${subject} with all its invoices and ${userCount}? No command can undo it.`;
  // The operator confirms by entering this id.
  await confirm(async () => question, supplierId ?? tenant);
  const stop = trapSignals(host);
  const counts = await eraseData(session, erasure, stop);
  output.line(`Erased from ${subject}: ${counts.invoices} invoices with their histories, ${counts.users} users.`);
  output.line(stop.aborted ? translate(opsTexts.interrupted) : REMAINING_COPIES);
  output.document({
    tenant,
    supplier_id: supplierId,
    ...counts,
    interrupted: stop.aborted,
    remaining: REMAINING_COPIES,
  });
  return stop.aborted ? EXIT.interrupted : EXIT.done;
}

/** Erases the invoices, then the users, then the records. Ends early if the command is interrupted. */
async function eraseData(session: Session, erasure: Erasure, stop: AbortSignal) {
  const { tenant, users, eraseRecords } = erasure;
  const counts = { invoices: 0, users: 0 };
  const progress = startProgress(session.host.stderr, '{value} invoices erased');
  const onErased = () => {
    counts.invoices += 1;
    progress.increment();
  };
  try {
    await eraseAllInvoices(session, erasure, stop, onErased);
    for (const { user_id: userId } of users) {
      if (stop.aborted) return counts;
      await eraseUser(session.ports, tenant, userId);
      counts.users += 1;
    }
    if (stop.aborted) return counts;
    await eraseRecords();
    // An import that read the supplier before the erasure can have created invoices. A dry run has erased nothing.
    if (!session.dryRun) await eraseAllInvoices(session, erasure, stop, onErased);
    return counts;
  } finally {
    progress.stop();
  }
}

async function eraseAllInvoices(session: Session, erasure: Erasure, stop: AbortSignal, onErased: () => void) {
  const { tenant, suppliers } = erasure;
  for (const { supplier_id: supplierId } of suppliers) {
    await eraseInvoices(session, { tenant, supplierId }, stop, onErased);
  }
}

/** Erases the invoices of a supplier in passes, until a pass finds none. A dry run erases none, so it has one pass. */
async function eraseInvoices(session: Session, scope: SupplierScope, stop: AbortSignal, onErased: () => void) {
  const { invoices, eraseInvoice } = session.ports;
  let foundCount: number;
  do {
    foundCount = 0;
    for await (const page of invoices.readItems(scope)) {
      foundCount += page.length;
      await forEachConcurrent(page, PARALLEL_TRANSACTIONS, async (item) => {
        if (stop.aborted) return;
        // An invoice that has changed since it was read is not erased, and the next pass finds it again.
        if (await eraseInvoice(scope, item)) onErased();
      });
      if (stop.aborted) return;
    }
    if (session.dryRun) return;
  } while (foundCount > 0);
}
