import { collectPages } from '../../../lib/runtime/pages.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { PARALLEL_TRANSACTIONS } from '../../../lib/tables/invoice-transaction.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import {
  defineCommand,
  dryRunOption,
  EXIT,
  type ExitCode,
  formatCount,
  runCommand,
  type Session,
  stopSignal,
  yesOption,
} from '../command.ts';
import { DirectorySnapshot } from '../directory/change-directory.ts';
import { listRecords } from '../directory/read-directory.ts';
import { OperatorError } from '../operator-errors.ts';
import { startProgress } from '../../../lib/terminal/progress.ts';
import type { InvoiceRecord } from '../tables/invoice-records.ts';
import { keysIn } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { eraseUser, REMAINING_COPIES } from './erase-user.ts';

export const eraseSupplierCommand = defineCommand('erase-supplier', {
  summary: 'Erase a supplier with its invoices, declarations and users, permanently. Its company must be suspended.',
  example: 'erase-supplier demo.example 204 --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<supplier>', 'the id of the supplier')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, supplierId, options) => runCommand(options, (session) => erase(session, tenant, supplierId)));

export const eraseTenantCommand = defineCommand('erase-tenant', {
  summary: 'Erase a tenant with all its data, permanently. Its companies must be suspended.',
  example: 'erase-tenant sur.example --local',
})
  .argument('<tenant>', 'the tenant')
  .addOption(dryRunOption)
  .addOption(yesOption)
  .action((tenant, options) => runCommand(options, (session) => erase(session, tenant)));

/** Erases a supplier or, without an id, a tenant. If it is interrupted, another run finds and erases what remains. */
async function erase(session: Session, tenant: string, supplierId?: string): Promise<ExitCode> {
  const { ports, output, host, confirm } = session;
  const keys = keysIn(tenant);
  const directory = new DirectorySnapshot(ports.records);
  const supplier = supplierId === undefined ? null : await directory.getExisting(keys.supplier(supplierId));
  const companies = await collectPages(listRecords(ports, 'company', tenant, supplier?.company_id));
  const active = companies.find(({ status }) => status !== 'SUSPENDED');
  if (active) {
    const advice = `Run suspend-company ${tenant} ${active.company_id} first.`;
    throw new OperatorError(`Nothing was erased: company ${active.company_id} is not suspended. ${advice}`);
  }
  const suppliers = supplier ? [supplier] : await collectPages(listRecords(ports, 'supplier', tenant));
  const users = (await collectPages(listRecords(ports, 'user', tenant))).filter(
    (user) => user.erased_at === undefined && (!supplier || user.supplier_id === supplierId),
  );
  const subject = supplier ? `supplier ${supplierId} (${supplier.name}) of ${tenant}` : `tenant ${tenant}`;
  const affected = supplier ? '' : ` ${formatCount(suppliers.length, 'supplier')},`;
  const effect = `This erases${affected} ${formatCount(users.length, 'user')} and all invoices. No command can undo it.`;
  await confirm(async () => `Erase ${subject}? ${effect}`, supplierId ?? tenant);

  const stop = stopSignal(host);
  const counts = { invoices: 0, declarations: 0, state_changes: 0, users: 0 };
  const bar = startProgress(host.stderr, '{value} invoices erased');
  try {
    for (const { supplier_id: id } of suppliers) {
      await eraseInvoices(session, { tenant, supplierId: id }, stop, (erased) => {
        counts.invoices += 1;
        counts.declarations += erased.declarations.length;
        counts.state_changes += erased.state_changes.length;
        bar.increment();
      });
    }
  } finally {
    bar.stop();
  }
  for (const { user_id: userId } of stop.aborted ? [] : users) {
    await eraseUser(ports, tenant, userId);
    counts.users += 1;
  }
  if (!stop.aborted && !supplier) await ports.records.deleteTenant(tenant);
  if (!stop.aborted && supplier) {
    const before = { company_id: supplier.company_id };
    const isErased = await ports.records.commit([
      { key: keys.supplier(supplier.supplier_id), before, after: null },
      { key: keys.company(supplier.company_id), before: { status: 'SUSPENDED' } },
    ]);
    if (!isErased) throw new Error('Others have changed the supplier or its company. Run the command again.');
  }
  const totals = Object.entries(counts).map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  output.line(`Erased from ${subject}: ${totals.join(', ')}.`);
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

/** Erases the invoices of a supplier until none is left, and then all other items of the supplier. */
async function eraseInvoices(
  { ports: { invoiceRecords }, dryRun }: Session,
  scope: SupplierScope,
  stop: AbortSignal,
  onErased: (record: InvoiceRecord) => void,
): Promise<void> {
  let isEmpty: boolean;
  do {
    isEmpty = true;
    for await (const page of invoiceRecords.list(scope)) {
      const sortKeys = page.map(({ sk }) => sk);
      for await (const records of invoiceRecords.read(scope, sortKeys)) {
        if (stop.aborted) return;
        // A dry run removes nothing, so a second pass would find the same invoices.
        isEmpty = dryRun;
        await forEachConcurrent(records, PARALLEL_TRANSACTIONS, async (record, shard) => {
          // An invoice that has changed is found again.
          if (!stop.aborted && (await invoiceRecords.remove(scope, record, shard)) === 'removed') onErased(record);
        });
      }
    }
  } while (!isEmpty);
  await invoiceRecords.removeRest(scope);
}
