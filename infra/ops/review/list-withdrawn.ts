import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { defineCommand, runCommand } from '../command.ts';
import { findSuppliers } from '../directory/read-directory.ts';
import { csvOption, defineList, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import {
  DECISION_COLUMNS,
  INVOICE_COLUMNS,
  INVOICE_LIST,
  type ReviewedInvoice,
  toReviewedInvoice,
} from './reviewed-invoices.ts';

const { titles } = opsTexts;

interface WithdrawnInvoice extends ReviewedInvoice {
  /** The change in the history that has withdrawn the invoice. */
  readonly withdrawal: RecordedChange | undefined;
}

const WITHDRAWN_LIST = defineList<WithdrawnInvoice>(
  'Withdrawn',
  {
    ...INVOICE_COLUMNS,
    withdrawn_at: { title: titles.withdrawnAt, kind: 'date', toCell: (invoice) => toWithdrawal(invoice).withdrawn_at },
    withdrawn_by: { title: titles.withdrawnBy, toCell: (invoice) => toWithdrawal(invoice).withdrawn_by },
    withdrawn_reason: { title: titles.reason, toCell: (invoice) => toWithdrawal(invoice).withdrawn_reason },
    ...DECISION_COLUMNS,
  },
  (invoice) => ({ ...INVOICE_LIST.toDocument(invoice), ...toWithdrawal(invoice) }),
);

function toWithdrawal({ withdrawal }: WithdrawnInvoice) {
  return {
    withdrawn_at: withdrawal?.changedAt ?? null,
    withdrawn_by: withdrawal?.changedBy ?? null,
    withdrawn_reason: withdrawal?.reason ?? null,
  };
}

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
      await printList(output, readWithdrawnInvoices(ports, tenant), WITHDRAWN_LIST, { tenant, format });
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
