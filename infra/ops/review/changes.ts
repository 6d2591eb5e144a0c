import { Option } from '@commander-js/extra-typings';
import { CHANGE_KINDS, type RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { buildChangeKey, buildHistoryPartition } from '../../../lib/tables/keys.ts';
import { defineCommand, runCommand, type Session } from '../command.ts';
import { readRange, zoneOption } from '../date-options.ts';
import { readTenant } from '../directory/read-directory.ts';
import { defineInvoiceCommand, findInvoice, type InvoiceQuery } from '../invoice-options.ts';
import { outOption } from '../output/out-file.ts';
import { printList, resolveSheetFormat, sheetOutOption } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { languageOption } from '../texts/language.ts';
import { CHANGE_LIST } from './change-list.ts';
import { type ListedChange, listFieldChanges } from './field-changes.ts';

/** The clock of a writer can be ahead of the clock of this machine by up to one hour, and so the times of its changes. */
const CLOCK_MARGIN_MS = 60 * 60_000;
const PARALLEL_INVOICES = 16;

const command = defineCommand('changes', {
  summary: 'List the changes of the invoices of a tenant in the order of time, with old and new values.',
  example: 'changes demo.example --since 2026-08-01 --kind state --local',
})
  .argument('<tenant>', 'tenant of the invoices')
  .requiredOption('--since <time>', 'only changes of this time or later')
  .option('--until <time>', 'only changes of this time or earlier; a date without a time includes the whole day')
  .option('--command <id>', 'only changes by the command with this id, which audit prints')
  .option('--by <text>', 'only changes whose author contains this text')
  .addOption(new Option('--kind <kind>', 'only changes of this kind').choices(CHANGE_KINDS))
  .addOption(zoneOption)
  .addOption(sheetOutOption)
  .addOption(languageOption);

type Options = ReturnType<typeof command.opts>;

export const changesCommand = command.action((tenant, options) =>
  runCommand(options, (session) => listChanges(session, tenant, options)),
);

export const historyCommand = defineInvoiceCommand('history', {
  summary: 'List the declarations on an invoice, and all its other changes, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(outOption)
  .addOption(languageOption)
  .action((tenant, invoiceId, { supplier: supplierId, ...options }) =>
    runCommand(options, (session) => listHistory(session, { tenant, invoiceId, supplierId })),
  );

async function listChanges({ ports, output }: Session, tenant: string, options: Options): Promise<void> {
  const { since, until, zone } = options;
  const format = resolveSheetFormat(options);
  const { startMs, endMs } = readRange({ name: '--since', date: since }, { name: '--until', date: until }, zone);
  await readTenant(ports, tenant);
  // readBetween queries the partitions of each day, so it must not read until 9999, the end of a range without --until.
  const latestMs = systemClock.now().getTime() + CLOCK_MARGIN_MS;
  // The range includes its last millisecond, but readBetween excludes its end.
  const readEndMs = Math.min(endMs + 1, latestMs);
  const pages = ports.histories.readBetween(tenant, startMs, readEndMs);
  await printList(output, selectChanges(ports, pages, options), CHANGE_LIST, { tenant, format });
}

async function* selectChanges(ports: AdminPorts, pages: AsyncIterable<readonly RecordedChange[]>, options: Options) {
  for await (const page of pages) {
    const selectedChanges = page.filter((change) => isSelected(change, options));
    yield await addFieldChanges(ports, selectedChanges);
  }
}

function isSelected(change: RecordedChange, { command: commandId, by, kind }: Options): boolean {
  if (commandId !== undefined && change.commandId !== commandId) return false;
  if (kind !== undefined && change.kind !== kind) return false;
  return by === undefined || change.changedBy.toLowerCase().includes(by.toLowerCase());
}

/** Adds the old and new values, which the index of changes by time lacks, from the histories of the invoices. */
async function addFieldChanges({ histories, invoices }: AdminPorts, changes: readonly RecordedChange[]) {
  const keyedChanges = changes.map((each) => [buildHistoryPartition(each.scope, each.invoiceId), each] as const);
  const changeByInvoice = new Map(keyedChanges);
  const listedByKey = new Map<string, ListedChange>();
  await forEachConcurrent([...changeByInvoice.values()], PARALLEL_INVOICES, async ({ scope, invoiceId }) => {
    // If the invoice changes between the two reads, its history contains the old value. The other order would miss it.
    const currentInvoices = await invoices.getMany(scope, [invoiceId]);
    const history = await histories.read(scope, invoiceId);
    const listedChanges = listFieldChanges(scope, history, currentInvoices.get(invoiceId) ?? null);
    for (const change of listedChanges) listedByKey.set(buildChangeKey(change), change);
  });
  // A change whose invoice was erased after the index was read has no values any more.
  return changes.map((change) => listedByKey.get(buildChangeKey(change)) ?? { ...change, fields: [] });
}

async function listHistory({ ports, output }: Session, query: InvoiceQuery): Promise<void> {
  const { scope, invoice } = await findInvoice(ports, query);
  const history = await ports.histories.read(scope, query.invoiceId);
  const changes = listFieldChanges(scope, history, invoice);
  output.table(CHANGE_LIST.header, changes.map(CHANGE_LIST.toRow));
  output.document({ tenant: query.tenant, changes: changes.map(CHANGE_LIST.toDocument) });
}
