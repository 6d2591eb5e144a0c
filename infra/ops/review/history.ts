import { runCommand, type Session } from '../command.ts';
import { defineInvoiceCommand, findInvoice } from '../invoice-options.ts';
import { csvOption, resolveSheetFormat, sheetOutOption } from '../output/sheet-options.ts';
import { printList } from '../output/write-sheet.ts';
import { languageOption } from '../texts/language.ts';
import { CHANGE_LIST } from './change-list.ts';
import { type ListedChange, listFieldChanges } from './field-changes.ts';

const command = defineInvoiceCommand('history', {
  summary: 'List the declarations on an invoice, and all its other changes, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const historyCommand = command.action((tenant, invoiceId, options) =>
  runCommand(options, (session) => listHistory(session, tenant, invoiceId, options)),
);

async function listHistory(session: Session, tenant: string, invoiceId: string, options: Options) {
  const { ports, output } = session;
  const format = resolveSheetFormat(options);
  const { scope, invoice } = await findInvoice(ports, { tenant, invoiceId, supplierId: options.supplier }, 'any');
  const history = await ports.histories.read(scope, invoiceId);
  const changes = listFieldChanges(scope, history, invoice);
  await printList(output, yieldPage(changes), CHANGE_LIST, { tenant, format });
}

/** Yields the whole history as one page. Lists are printed page by page. */
async function* yieldPage(changes: readonly ListedChange[]): AsyncGenerator<readonly ListedChange[]> {
  yield changes;
}
