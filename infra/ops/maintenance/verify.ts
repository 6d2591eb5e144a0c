import { getDeclaredState } from '../../../lib/contracts/events.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildSearchText } from '../../../lib/domain/list-entry.ts';
import { NO_NOTICE, type Notice } from '../../../lib/domain/notice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { fromNotice, type InvoiceItem, type NoticeAttributes, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { buildListPosition } from '../../../lib/tables/keys.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

const PARALLEL_HISTORIES = 32;

export const verifyCommand = defineCommand('verify', {
  summary: 'Compare each invoice of a tenant with its history. Names the invoices that differ, and repairs nothing.',
  example: 'verify demo.example --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      let count = 0;
      const differing: object[] = [];
      for (const scope of await findSuppliers(ports, tenant)) {
        for await (const page of ports.invoices.readItems(scope)) {
          await forEachConcurrent(page, PARALLEL_HISTORIES, async (item) => {
            count += 1;
            const { sk: invoiceId } = item;
            const differences = await compareInvoice(ports, scope, item);
            if (differences.length === 0) return;
            differing.push({ supplier_id: scope.supplierId, invoice_id: invoiceId, differences });
            output.line(`differs  invoice ${invoiceId} of supplier ${scope.supplierId}: ${differences.join('; ')}`);
          });
        }
      }
      output.line(`${count} invoices compared with their histories, ${differing.length} differ.`);
      output.document({ tenant, invoices: count, differing });
      return differing.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

const MAX_READS = 5;

/** Compares an invoice with its history. If they differ, reads both again: the invoice can have changed meanwhile. */
export async function compareInvoice(
  { invoices, histories }: Pick<AdminPorts, 'invoices' | 'histories'>,
  scope: SupplierScope,
  listedItem: InvoiceItem,
): Promise<string[]> {
  let item: InvoiceItem | null = listedItem;
  let differences: string[] = [];
  for (let read = 1; item && read <= MAX_READS; read++) {
    differences = findDifferences(item, await histories.read(scope, item.sk));
    if (differences.length === 0) return [];
    item = await invoices.getItem(scope, item.sk);
  }
  return item ? differences : [];
}

/** Finds the differences between an invoice and its history, oldest change first. */
function findDifferences(item: InvoiceItem, history: readonly RecordedChange[]): string[] {
  const invoice = toInvoice(item);
  const differences = Object.entries(listComparedValues(invoice, history))
    .filter(([, [stored, expected]]) => expected !== undefined && stored !== expected)
    .map(([name, [stored, expected]]) => `${name} is ${stored}, not ${expected}`);
  if (item.list_position !== buildListPosition(invoice))
    differences.push('list_position does not follow from the date');
  if (item.search_text !== buildSearchText(invoice)) differences.push('search_text does not follow from the fields');
  return differences;
}

/** Lists the properties of the notice of an invoice, each with the value after the latest change of its history. */
function compareNotices(notice: Notice, latest: RecordedChange | undefined) {
  const [stored, expected] = [notice, latest?.notice ?? NO_NOTICE].map(fromNotice) as [
    NoticeAttributes,
    NoticeAttributes,
  ];
  const names = Object.keys(stored) as (keyof NoticeAttributes)[];
  const toValue = (value: NoticeAttributes[keyof NoticeAttributes]) => value?.toString() ?? null;
  return Object.fromEntries(names.map((name) => [name, [toValue(stored[name]), toValue(expected[name])] as const]));
}

type Value = string | number | boolean | null | undefined;

/** Lists the values of an invoice, each with the value that its history requires; undefined: it requires none. */
function listComparedValues(
  invoice: Invoice,
  history: readonly RecordedChange[],
): Record<string, readonly [Value, Value]> {
  const { declaration } = invoice;
  const latest = history.at(-1);
  // Each change has created the next version. The creation of an invoice, without a declaration, is no change.
  const firstVersion = history[0]?.version ?? 1;
  const revisions = history.flatMap(({ revision }) => revision ?? []);
  const states = history.map(({ stateChange, revision: declared }) => {
    return stateChange?.to ?? (declared && getDeclaredState(declared)) ?? undefined;
  });
  const amounts = history.map(({ stateChange, revision: declared }) => {
    return stateChange?.toSystemAmount?.toFixed() ?? declared?.systemAmount.toFixed();
  });
  const withdrawal = history.findLast(({ kind }) => kind === 'withdrawal' || kind === 'restore');
  return {
    version: [invoice.version, latest ? firstVersion + history.length - 1 : 1],
    'first version of the history': [firstVersion, firstVersion > 2 ? 2 : firstVersion],
    changed_at: [invoice.changedAt, latest?.changedAt],
    state_code: [invoice.state, states.findLast((state) => state !== undefined)],
    system_amount: [invoice.systemAmount.toFixed(), amounts.findLast((amount) => amount !== undefined)],
    revision: [declaration?.revision ?? 0, revisions.length],
    declared_amount: [declaration?.amount.toFixed() ?? null, revisions.at(-1)?.amount.toFixed() ?? null],
    ...compareNotices(invoice.notice, latest),
    withdrawn: [invoice.isWithdrawn, withdrawal?.kind === 'withdrawal'],
  };
}
