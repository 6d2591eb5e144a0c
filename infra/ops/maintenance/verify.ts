import { getDeclaredState } from '../../../lib/contracts/events.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { buildSearchText } from '../../../lib/domain/list-entry.ts';
import { NO_NOTICE, type Notice } from '../../../lib/domain/notice.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { fromNotice, type InvoiceItem, type NoticeAttributes, toInvoice } from '../../../lib/tables/invoice-items.ts';
import { buildListPosition } from '../../../lib/tables/keys.ts';
import { defineCommand, EXIT, type ExitCode, runCommand, type Session } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

const PARALLEL_HISTORIES = 32;
const MAX_READS = 5;

type Value = string | number | boolean | null;

/** A property of a stored invoice. `expected` is the value that the history requires; undefined if it requires none. */
interface ComparedProperty {
  readonly name: string;
  readonly stored: Value;
  readonly expected: Value | undefined;
}

export const verifyCommand = defineCommand('verify', {
  summary: 'Compare each invoice of a tenant with its history. Names the invoices that differ, and repairs nothing.',
  example: 'verify demo.example --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .action((tenant, options) => runCommand(options, (session) => verifyInvoices(session, tenant)));

async function verifyInvoices({ ports, output }: Session, tenant: string): Promise<ExitCode> {
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
}

/** Compares an invoice with its history. If they differ, reads both again, because the invoice can have changed. */
export async function compareInvoice(
  { invoices, histories }: Pick<AdminPorts, 'invoices' | 'histories'>,
  scope: SupplierScope,
  listedItem: InvoiceItem,
): Promise<string[]> {
  let item: InvoiceItem | null = listedItem;
  let differences: string[] = [];
  for (let read = 1; item && read <= MAX_READS; read++) {
    const history = await histories.read(scope, item.sk);
    differences = findDifferences(item, history);
    if (differences.length === 0) return [];
    item = await invoices.getItem(scope, item.sk);
  }
  // An invoice that was erased meanwhile has no differences.
  return item ? differences : [];
}

function findDifferences(item: InvoiceItem, history: readonly RecordedChange[]): string[] {
  const invoice = toInvoice(item);
  const differences = listComparedProperties(invoice, history)
    .filter(({ stored, expected }) => expected !== undefined && stored !== expected)
    .map(({ name, stored, expected }) => `${name} is ${stored}, not ${expected}`);
  const hasListPosition = item.list_position === buildListPosition(invoice);
  if (!hasListPosition) differences.push('list_position does not follow from the date');
  if (item.search_text !== buildSearchText(invoice)) differences.push('search_text does not follow from the fields');
  return differences;
}

function listComparedProperties(invoice: Invoice, history: readonly RecordedChange[]): ComparedProperty[] {
  const { declaration } = invoice;
  const latest = history.at(-1);
  // Each change has created the next version. The creation of an invoice, without a declaration, is no change.
  const firstVersion = history[0]?.version ?? 1;
  const lastVersion = latest ? firstVersion + history.length - 1 : 1;
  const revisions = history.flatMap(({ revision }) => revision ?? []);
  const state = history.map(findNewState).findLast((newState) => newState !== undefined);
  // A declaration confirms the system amount.
  const systemAmounts = history.map(
    ({ stateChange, revision }) => stateChange?.toSystemAmount ?? revision?.systemAmount,
  );
  const systemAmount = systemAmounts.findLast((amount) => amount !== undefined)?.toFixed();
  const declaredAmount = revisions.at(-1)?.amount.toFixed() ?? null;
  const withdrawal = history.findLast(({ kind }) => kind === 'withdrawal' || kind === 'restore');
  const isWithdrawn = withdrawal?.kind === 'withdrawal';
  return [
    { name: 'version', stored: invoice.version, expected: lastVersion },
    { name: 'first version of the history', stored: firstVersion, expected: Math.min(firstVersion, 2) },
    { name: 'changed_at', stored: invoice.changedAt, expected: latest?.changedAt },
    { name: 'state_code', stored: invoice.state, expected: state },
    { name: 'system_amount', stored: invoice.systemAmount.toFixed(), expected: systemAmount },
    { name: 'revision', stored: declaration?.revision ?? 0, expected: revisions.length },
    { name: 'declared_amount', stored: declaration?.amount.toFixed() ?? null, expected: declaredAmount },
    ...compareNotices(invoice.notice, latest?.notice ?? NO_NOTICE),
    { name: 'withdrawn', stored: invoice.isWithdrawn, expected: isWithdrawn },
  ];
}

/** Finds the state that a change has set. Returns undefined if it has set none. */
function findNewState({ stateChange, revision }: RecordedChange): string | undefined {
  if (stateChange) return stateChange.to;
  if (!revision) return undefined;
  return getDeclaredState(revision) ?? undefined;
}

function compareNotices(storedNotice: Notice, expectedNotice: Notice): ComparedProperty[] {
  const stored = fromNotice(storedNotice);
  const expected = fromNotice(expectedNotice);
  const names = Object.keys(stored) as (keyof NoticeAttributes)[];
  return names.map((name) => {
    return { name, stored: stored[name]?.toString() ?? null, expected: expected[name]?.toString() ?? null };
  });
}
