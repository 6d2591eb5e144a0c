import {
  type Author,
  type RecordedChange,
  type StateChange,
  withWithdrawal,
} from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, type Session } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { byOption, defineInvoiceCommand, findInvoice, identifyAuthor, readText } from '../invoice-options.ts';
import { OperatorError } from '../operator-errors.ts';
import { csvOption, defineList, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { OwnedInvoice } from '../tables/stored-invoices.ts';
import {
  DECISION_COLUMNS,
  INVOICE_COLUMNS,
  INVOICE_LIST,
  type ReviewedInvoice,
  toReviewedInvoice,
} from './reviewed-invoices.ts';
import { changeInvoice, revisionOption, requireRevision } from './set-state.ts';
import { opsTexts } from '../texts/ops-texts.ts';

export const withdrawInvoiceCommand = defineInvoiceCommand('withdraw-invoice', {
  summary:
    'Withdraw an invoice that was imported by mistake. Its supplier can no longer list, open or declare it, and imports ' +
    'do not change it. restore-invoice undoes this.',
  example: 'withdraw-invoice demo.example 9001 --reason "Imported twice" --local',
})
  .requiredOption('--reason <text>', 'reason of the change')
  .addOption(revisionOption)
  .option('--force', 'also withdraw a settled invoice (LIQ)')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, { supplier, reason: text, by, revision, force = false, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, operator } = session;
      const author = { reason: readText('--reason', text), changedBy: await identifyAuthor(operator, by) };
      const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
      await withdrawInvoice(ports, found, author, { revision, force });
      printResult(session, found, author);
    }),
  );

/**
 * Withdraws an invoice. Throws an OperatorError if the invoice is settled and `force` is false, or if the current
 * declaration does not have the revision that was passed. A declared invoice requires the revision.
 */
export function withdrawInvoice(
  ports: Pick<AdminPorts, 'commit' | 'invoices'>,
  found: OwnedInvoice,
  author: Author,
  { revision, force }: { readonly revision?: number | undefined; readonly force: boolean },
): Promise<StateChange | null> {
  return changeInvoice(ports, found, author, (invoice) => {
    if (revision !== undefined) requireRevision(invoice, revision);
    const error = findWithdrawalError(invoice, { isDeclarationSeen: revision !== undefined, force });
    if (error) throw new OperatorError(`Nothing was changed. ${error}`);
    return withWithdrawal(invoice, true, systemClock.now());
  });
}

/** Returns the reason why an invoice cannot be withdrawn, or null. A declared invoice requires its revision. */
function findWithdrawalError(
  { state, declaration }: Invoice,
  { isDeclarationSeen, force }: { readonly isDeclarationSeen: boolean; readonly force: boolean },
): string | null {
  if (state === 'LIQ' && !force) return 'The invoice is settled (LIQ). To withdraw it, pass --force.';
  if (!declaration || isDeclarationSeen) return null;
  const { amount, revision } = declaration;
  return `The supplier has declared ${amount.toFixed()}. To withdraw the invoice, pass --revision ${revision}.`;
}

export const restoreInvoiceCommand = defineInvoiceCommand('restore-invoice', {
  summary: 'Restore a withdrawn invoice, with its state and its declarations.',
  example: 'restore-invoice demo.example 9001 --reason "Not a duplicate" --local',
})
  .requiredOption('--reason <text>', 'reason of the change')
  .addOption(byOption)
  .addOption(dryRunOption)
  .action((tenant, invoiceId, { supplier, reason: text, by, ...options }) =>
    runCommand(options, async (session) => {
      const { ports, operator } = session;
      const author = { reason: readText('--reason', text), changedBy: await identifyAuthor(operator, by) };
      const found = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier }, 'withdrawn');
      await changeInvoice(ports, found, author, (invoice) => withWithdrawal(invoice, false, systemClock.now()));
      printResult(session, found, author);
    }),
  );

/** Prints that a command has withdrawn an invoice or, if it was withdrawn before, restored it. */
function printResult({ output }: Session, { scope, invoice }: OwnedInvoice, { changedBy, reason }: Author): void {
  const { invoiceId, isWithdrawn } = invoice;
  const change = `${isWithdrawn ? 'restored' : 'withdrawn'} by ${changedBy}: ${reason}`;
  output.line(`Invoice ${invoiceId} of supplier ${scope.supplierId}: ${change}`);
  const { tenant, supplierId } = scope;
  output.document({ tenant, supplier_id: supplierId, invoice_id: invoiceId, withdrawn: !isWithdrawn });
}

const { titles } = opsTexts;

interface WithdrawnInvoice extends ReviewedInvoice {
  /** The change in the history that has withdrawn the invoice. */
  readonly withdrawal: RecordedChange | undefined;
}

const WITHDRAWN_LIST = defineList<WithdrawnInvoice>(
  'Withdrawn',
  {
    ...INVOICE_COLUMNS,
    withdrawn_at: {
      title: titles.withdrawnAt,
      kind: 'date',
      toCell: ({ withdrawal }) => withdrawal?.changedAt ?? null,
    },
    withdrawn_by: { title: titles.withdrawnBy, toCell: ({ withdrawal }) => withdrawal?.changedBy ?? null },
    withdrawn_reason: { title: titles.reason, toCell: ({ withdrawal }) => withdrawal?.reason ?? null },
    ...DECISION_COLUMNS,
  },
  (invoice) => ({
    ...INVOICE_LIST.toDocument(invoice),
    withdrawn_at: invoice.withdrawal?.changedAt ?? null,
    withdrawn_by: invoice.withdrawal?.changedBy ?? null,
    withdrawn_reason: invoice.withdrawal?.reason ?? null,
  }),
);

export const listWithdrawnCommand = defineCommand('list-withdrawn', {
  summary: 'List the withdrawn invoices of a tenant, with the reason and the author of each withdrawal.',
  example: 'list-withdrawn demo.example --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .action((tenant, options) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      let count = 0;
      async function* readPages() {
        for await (const page of readWithdrawnInvoices(ports, tenant)) {
          count += page.length;
          yield page;
        }
      }
      await printList(output, readPages(), WITHDRAWN_LIST, { tenant, format, end: () => ({ count }) });
    }),
  );

/** Yields the withdrawn invoices of all suppliers, page by page. */
async function* readWithdrawnInvoices(ports: AdminPorts, tenant: string): AsyncGenerator<WithdrawnInvoice[]> {
  for (const { supplierId } of await findSuppliers(ports, tenant)) {
    const scope = { tenant, supplierId };
    for await (const invoices of ports.invoices.readWithdrawn(scope)) {
      yield await Promise.all(
        invoices.map(async (invoice) => {
          const changes = await ports.histories.read(scope, invoice.invoiceId);
          const withdrawal = changes.findLast(({ kind }) => kind === 'withdrawal');
          return { ...toReviewedInvoice(scope, invoice), withdrawal };
        }),
      );
    }
  }
}
