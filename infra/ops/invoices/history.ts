import { createDeclarationTable } from '../../../lib/storage/declaration-table.ts';
import { type DirectoryItems, readDirectoryItem } from '../../../lib/storage/directory-items.ts';
import { createDirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import { createStateHistory } from '../../../lib/storage/invoice-state-changes.ts';
import { directoryKeys } from '../../../lib/storage/keys.ts';
import { EXIT, runCommand } from '../command.ts';
import type { DataTarget } from '../../../lib/admin/data-target.ts';
import { findInvoice } from '../../../lib/admin/invoices/find-invoice.ts';
import { HISTORY_HEADER, historyEntries } from '../../../lib/admin/invoices/history-entries.ts';
import { defineInvoiceCommand } from './invoice-command.ts';

/** `history`: what was declared on an invoice, under which rule, and who changed its state. */
export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show everything that was declared on an invoice, and every change of its state, oldest first.',
  example: 'history demo.example 9005 --local',
}).action((tenant, invoiceId, { supplier, ...options }) =>
  runCommand(options, async ({ client, tables, output }) => {
    const { scope } = await findInvoice({ client, tables }, { tenant, invoiceId, supplierId: supplier });
    const revisions = await createDeclarationTable(client, tables.Declarations).history(scope, invoiceId);
    const stateChanges = await createStateHistory(client, tables.Invoices)(scope, invoiceId);
    const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
    const entries = historyEntries(revisions, stateChanges, await readEmails({ client, tables }, tenant, userIds));

    if (entries.length === 0) output.line('Nothing was declared, and the state was never changed.');
    else output.table([HISTORY_HEADER, ...entries.map(({ row }) => row)]);
    const documents = entries.map(({ document }) => document);
    output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
    return EXIT.done;
  }),
);

/** The e-mails of the users that exist, by user id. */
async function readEmails(
  { client, tables }: DataTarget,
  tenant: string,
  userIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const { read } = createDirectoryWriter(client, tables.Directory);
  const items = await read([...userIds].map((userId) => directoryKeys.user(tenant, userId)));
  const users = items.map((item) => readDirectoryItem.user(item as unknown as DirectoryItems['user']));
  return new Map(users.map(({ userId, email }) => [userId, email]));
}
