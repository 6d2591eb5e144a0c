import { InvalidArgumentError } from '@commander-js/extra-typings';
import { listRecords } from '../directory/read-directory.ts';
import { describeFailure } from '../operator-errors.ts';
import { EVENT_TYPES, type EventType } from '../../../lib/contracts/events.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, EXIT, readRange, runCommand, stopSignal, zoneOption } from '../command.ts';
import { toEvent, type Publication, publishRecords } from '../../../lib/events/publish-records.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';

// Publishes the events of one supplier after the other and, for each type, those of an invoice in order.
export const republishEventsCommand = defineCommand('republish-events', {
  summary: 'Publish the events of declarations and state changes again, with their original ids.',
  example: 'republish-events demo.example --since 2026-08-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the events')
  .requiredOption('--since <time>', 'only events of this time or later')
  .option('--until <time>', 'only events of this time or earlier; a date without a time includes the whole day')
  .addOption(zoneOption)
  .option('--types <types>', `only events of these types, separated by commas: ${EVENT_TYPES.join(', ')}`, readTypes)
  .option('--from-supplier <supplier>', 'continue at this supplier, which an earlier run has printed')
  .addOption(dryRunOption)
  .action((tenant, { since, until, zone, types = EVENT_TYPES, fromSupplier = '', ...options }) =>
    runCommand(options, async ({ ports, openEventBus, output, host, dryRun }) => {
      const range = readRange(['--since', since], ['--until', until], zone);
      const putEvents = await openEventBus();
      const stop = stopSignal(host);
      const published = new Map(types.map((type) => [type, 0]));
      const unreadable: object[] = [];
      const publication: Publication<HistoryItem> = {
        putEvents,
        toEvent(item) {
          const event = toEvent(item);
          if (!event || !types.includes(event.type)) return undefined;
          const timeMs = Date.parse(event.time);
          return timeMs >= range.startMs && timeMs <= range.endMs ? event : undefined;
        },
        onPublished: ({ type }) => void published.set(type, (published.get(type) ?? 0) + 1),
        onSkipped({ record: { pk, sk }, error }) {
          const [reason = ''] = describeFailure(error);
          unreadable.push({ pk, sk: String(sk), reason });
          output.error(`skipped  the entry ${pk} ${String(sk)} cannot be read: ${reason}`);
        },
      };
      async function* readPages() {
        for (const { supplier_id: supplierId } of await collectPages(listRecords(ports, 'supplier', tenant))) {
          if (supplierId < fromSupplier) continue;
          for (const isDeclared of new Set(types.map((type) => type === 'InvoiceDeclared'))) {
            const pages = ports.historyItems({ tenant, supplierId }, isDeclared);
            for await (const page of pages) yield { supplierId, page };
          }
        }
      }
      /** Prints the counts, and the supplier at which another run can continue; null: all events are published. */
      function printReport(continueAt: string | null, error?: string) {
        const counts = types.map((type) => `${published.get(type)} ${type}`).join(', ');
        const skipped = unreadable.length > 0 ? `; skipped: ${unreadable.length}` : '';
        output.line(`${dryRun ? 'To publish' : 'Published'}: ${counts}${skipped}`);
        if (error !== undefined) output.error(`failed  ${error}`);
        if (continueAt !== null) output.error(`To continue, run the command again with --from-supplier ${continueAt}.`);
        output.document({
          tenant,
          published: Object.fromEntries(published),
          unreadable,
          continue_from_supplier: continueAt,
          ...(error !== undefined && { error }),
        });
      }

      for await (const { supplierId, page } of readPages()) {
        const failure = stop.aborted ? null : await publishRecords(page, publication);
        if (failure) {
          printReport(supplierId, describeFailure(failure.error).join(' '));
          return EXIT.failed;
        }
        if (stop.aborted) {
          printReport(supplierId);
          return EXIT.interrupted;
        }
      }
      printReport(null);
      return unreadable.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

function readTypes(text: string): readonly EventType[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const types = EVENT_TYPES.filter((type) => names.delete(type));
  if (names.size > 0) throw new InvalidArgumentError(`The value must contain only ${EVENT_TYPES.join(', ')}.`);
  return types;
}
