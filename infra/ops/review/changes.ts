import { Option } from '@commander-js/extra-typings';
import { CHANGE_KINDS, type RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { buildChangeKey, buildHistoryPartition } from '../../../lib/tables/keys.ts';
import { defineCommand, readRange, runCommand, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { csvOption, findSheetFormat, printList, sheetOutOption } from '../output/write-sheet.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { languageOption } from '../texts/language.ts';
import { CHANGE_LIST, type ListedChange, listFieldChanges } from './change-list.ts';

/** The clock of a writer can be ahead of the clock of this machine by this time. */
const CLOCK_MARGIN_MS = 60 * 60_000;

export const changesCommand = defineCommand('changes', {
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
  .addOption(csvOption)
  .addOption(sheetOutOption)
  .addOption(languageOption)
  .action((tenant, { since, until, command, by, kind, zone, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const format = findSheetFormat(options);
      const range = readRange(['--since', since], ['--until', until], zone);
      await readTenant(ports, tenant);
      const endMs = Math.min(range.endMs + 1, systemClock.now().getTime() + CLOCK_MARGIN_MS);
      const isSelected = (change: RecordedChange) =>
        (command === undefined || change.commandId === command) &&
        (by === undefined || change.changedBy.toLowerCase().includes(by.toLowerCase())) &&
        (kind === undefined || change.kind === kind);
      async function* readPages() {
        for await (const page of ports.histories.readBetween(tenant, range.startMs, endMs)) {
          yield await addFieldChanges(ports, page.filter(isSelected));
        }
      }
      await printList(output, readPages(), CHANGE_LIST, { tenant, format });
    }),
  );

const PARALLEL_INVOICES = 16;

/** Adds the changed values to changes. The index does not contain them, so the histories of the invoices are read. */
async function addFieldChanges({ histories, invoices }: AdminPorts, changes: readonly RecordedChange[]) {
  const listedByKey = new Map<string, ListedChange>();
  const byInvoice = Map.groupBy(changes, ({ scope, invoiceId }) => buildHistoryPartition(scope, invoiceId));
  await forEachConcurrent([...byInvoice.values()], PARALLEL_INVOICES, async ([first]) => {
    if (!first) return;
    const { scope, invoiceId } = first;
    // The invoice is read first: a value that is replaced after this read is then in the history.
    const invoice = (await invoices.getMany(scope, [invoiceId])).get(invoiceId) ?? null;
    const history = await histories.read(scope, invoiceId);
    for (const change of listFieldChanges(scope, history, invoice)) listedByKey.set(buildChangeKey(change), change);
  });
  return changes.map((change) => listedByKey.get(buildChangeKey(change)) ?? { ...change, fields: [] });
}
