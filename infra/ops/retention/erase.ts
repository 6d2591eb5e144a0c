import { collectPages } from '../../../lib/runtime/pages.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import {
  defineCommand,
  dryRunOption,
  formatCount,
  runCommand,
  type Session,
  stopSignal,
  yesOption,
} from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { listRecords } from '../directory/read-directory.ts';
import { EXIT, type ExitCode, OperatorError } from '../operator-errors.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import { PARALLEL_TRANSACTIONS } from '../tables/command-transaction.ts';
import { keysIn, type ListedRecord } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { eraseUser, REMAINING_COPIES } from './erase-user.ts';

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

/** The part of the data that a command erases. */
interface Erasure {
  readonly tenant: string;
  /** The supplier of the command; undefined: the whole tenant. */
  readonly supplierId: string | undefined;
  /** The name of the erased part, such as `tenant sur.example`. */
  readonly subject: string;
  readonly suppliers: readonly ListedRecord<'supplier'>[];
  readonly users: readonly ListedRecord<'user'>[];
  /** Erases the records of the suppliers, so that no import and no request finds them. */
  readonly eraseRecords: () => Promise<void>;
}

async function eraseSupplier(session: Session, tenant: string, supplierId: string): Promise<ExitCode> {
  const { ports } = session;
  const keys = keysIn(tenant);
  const supplier = await new DirectorySnapshot(ports.records).getExisting(keys.supplier(supplierId));
  const users = (await listUsers(session, tenant)).filter((user) => user.supplier_id === supplierId);
  const suppliers = await collectPages(listRecords(ports, 'supplier', tenant, supplier.company_id));
  if (suppliers.length === 1) await requireSuspendedCompanies(session, tenant, supplier.company_id);
  // A suspended company would lock out the users of its other suppliers.
  else requireInactiveUsers(tenant, users);
  return erase(session, {
    tenant,
    supplierId,
    subject: `supplier ${supplierId} (${supplier.name}) of ${tenant}`,
    suppliers: [supplier],
    users,
    async eraseRecords() {
      const before = { company_id: supplier.company_id };
      const isErased = await ports.records.commit([{ key: keys.supplier(supplierId), before, after: null }]);
      if (!isErased) throw new Error('Others have changed the supplier. Run the command again.');
    },
  });
}

async function eraseTenant(session: Session, tenant: string): Promise<ExitCode> {
  const { ports } = session;
  await requireSuspendedCompanies(session, tenant);
  return erase(session, {
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
  return (await collectPages(listRecords(ports, 'user', tenant))).filter((user) => user.erased_at === undefined);
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

/** Erases a supplier or a tenant. If it is interrupted, another run finds and erases what remains. */
async function erase(session: Session, erasure: Erasure): Promise<ExitCode> {
  const { ports, output, host, confirm } = session;
  const { tenant, supplierId, subject, suppliers, users } = erasure;
  const affected = supplierId === undefined ? ` ${formatCount(suppliers.length, 'supplier')},` : '';
  const effect = `This erases${affected} ${formatCount(users.length, 'user')} and all invoices. No command can undo it.`;
  await confirm(async () => `Erase ${subject}? ${effect}`, supplierId ?? tenant);

  const stop = stopSignal(host);
  const counts = { invoices: 0, users: 0 };
  const bar = startProgress(host.stderr, '{value} invoices erased');
  const eraseAllInvoices = async () => {
    for (const { supplier_id: id } of suppliers) {
      await eraseInvoices(session, { tenant, supplierId: id }, stop, () => {
        counts.invoices += 1;
        bar.increment();
      });
    }
  };
  try {
    await eraseAllInvoices();
    for (const { user_id: userId } of users) {
      if (stop.aborted) break;
      await eraseUser(ports, tenant, userId);
      counts.users += 1;
    }
    if (!stop.aborted) await erasure.eraseRecords();
    // An import that has read the supplier before can have created invoices meanwhile. A dry run has erased nothing.
    if (!session.dryRun) await eraseAllInvoices();
  } finally {
    bar.stop();
  }
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

/** Erases the invoices of a supplier until none is left. */
async function eraseInvoices(
  { ports: { invoices, eraseInvoice }, dryRun }: Session,
  scope: SupplierScope,
  stop: AbortSignal,
  onErased: () => void,
): Promise<void> {
  let isEmpty: boolean;
  do {
    isEmpty = true;
    for await (const page of invoices.readItems(scope)) {
      if (stop.aborted) return;
      // A dry run erases nothing, so a second pass would find the same invoices.
      if (page.length > 0) isEmpty = dryRun;
      await forEachConcurrent(page, PARALLEL_TRANSACTIONS, async (item) => {
        // An invoice that has changed is found again.
        if (!stop.aborted && (await eraseInvoice(scope, item))) onErased();
      });
    }
  } while (!isEmpty);
}
