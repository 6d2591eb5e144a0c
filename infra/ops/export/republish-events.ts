import { InvalidArgumentError } from '@commander-js/extra-typings';
import { listRecords } from '../directory/read-directory.ts';
import { OperatorError } from '../errors.ts';
import { EVENT_TYPES, type EventType, type InvoiceEvent } from '../../../lib/contracts/events.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import { defineCommand, dryRunOption, EXIT, type ExitCode, runCommand, type Session, stopSignal } from '../command.ts';
import { readInstants, zoneOption } from '../date-options.ts';
import { describeFailure } from '../describe-failure.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { toEvent } from '../../../lib/events/history-records.ts';
import { type Failure, type Publication, publishRecords } from '../../../lib/events/publish-records.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';

/** `republish-events`: publishes the events of a tenant again, for systems that have missed them. */
export const republishEventsCommand = defineCommand('republish-events', {
  summary: 'Publish the events of declarations and state changes again, with their original ids.',
  example: 'republish-events demo.example --since 2026-08-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the events')
  .requiredOption('--since <time>', 'only events of this time or later')
  .option('--until <time>', 'only events of this time or earlier; a date without a time is its whole day')
  .addOption(zoneOption)
  .option('--types <types>', `only events of these types, separated by commas: ${EVENT_TYPES.join(', ')}`, readTypes)
  .option('--from-supplier <supplier>', 'continue at this supplier, which an earlier run has printed')
  .addOption(dryRunOption)
  .action((tenant, { since, until, zone, types = EVENT_TYPES, fromSupplier = '', ...options }) =>
    runCommand(options, (session) => {
      const { startMs } = readInstants('--since', since, zone);
      const endMs = until === undefined ? Number.POSITIVE_INFINITY : readInstants('--until', until, zone).endMs;
      if (endMs < startMs) throw new OperatorError('--until is before --since.');
      return republish(session, tenant, { startMs, endMs }, types, fromSupplier);
    }),
  );

/** Publishes the events of one supplier after the other, and prints their counts. */
async function republish(
  { ports, openEventBus, output, host, dryRun }: Session,
  tenant: string,
  range: DateRange,
  types: readonly EventType[],
  fromSupplier: string,
): Promise<ExitCode> {
  const put = await openEventBus();
  const stop = stopSignal(host);
  const published = new Map(types.map((type) => [type, 0]));
  const unreadable: object[] = [];
  const end = (continueAt: string | null, error?: string) => {
    const counts = types.map((type) => `${published.get(type)} ${type}`).join(', ');
    output.line(
      `${dryRun ? 'To publish' : 'Published'}: ${counts}${unreadable.length > 0 ? `; skipped: ${unreadable.length}` : ''}`,
    );
    if (error !== undefined) output.error(`failed  ${error}`);
    if (continueAt !== null) output.error(`To continue, run the command again with --from-supplier ${continueAt}.`);
    const continuation = { continue_from_supplier: continueAt, ...(error !== undefined && { error }) };
    output.document({ tenant, published: Object.fromEntries(published), unreadable, ...continuation });
  };

  for await (const page of listRecords(ports, 'supplier', tenant)) {
    for (const { supplier_id: supplierId } of page) {
      if (supplierId < fromSupplier) continue;
      const failure = await publishAgain(
        ports,
        { tenant, supplierId },
        {
          ...{ types, range, stop, put },
          published: ({ type }) => void published.set(type, (published.get(type) ?? 0) + 1),
          skipped({ record: { pk, sk }, error }) {
            const [reason = ''] = describeFailure(error);
            unreadable.push({ pk, sk: String(sk), reason });
            output.error(`skipped  the entry ${pk} ${String(sk)} cannot be read: ${reason}`);
          },
        },
      );
      if (!failure && !stop.aborted) continue;
      end(supplierId, failure ? describeFailure(failure.error).join(' ') : undefined);
      return failure ? EXIT.failed : EXIT.interrupted;
    }
  }
  end(null);
  return unreadable.length > 0 ? EXIT.rejected : EXIT.done;
}

function readTypes(text: string): readonly EventType[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const types = EVENT_TYPES.filter((type) => names.delete(type));
  if (names.size > 0) throw new InvalidArgumentError(`The value must contain only ${EVENT_TYPES.join(', ')}.`);
  return types;
}

/** Selects the events that are published again, and receives the result of each entry. */
interface Republication extends Pick<Publication<HistoryItem>, 'put' | 'published' | 'skipped'> {
  readonly types: readonly EventType[];
  readonly range: DateRange;
  /** Ends the publication after the current page. */
  readonly stop: AbortSignal;
}

/**
 * Publishes events of a supplier again, with their original ids and, for each type, those of an invoice in order.
 * Returns the first entry that the bus does not accept, or null.
 */
async function publishAgain(
  { historyItems }: Pick<AdminPorts, 'historyItems'>,
  scope: SupplierScope,
  { types, range, stop, ...reports }: Republication,
): Promise<Failure<HistoryItem> | null> {
  const toWantedEvent = (item: HistoryItem): InvoiceEvent | undefined => {
    const event = toEvent(item);
    const ms = Date.parse(event?.time ?? '');
    return ms >= range.startMs && ms <= range.endMs ? event : undefined;
  };
  for (const type of types) {
    for await (const page of historyItems(scope, type === 'InvoiceDeclared')) {
      if (stop.aborted) return null;
      const failure = await publishRecords(page, { toEvent: toWantedEvent, ...reports });
      if (failure) return failure;
    }
  }
  return null;
}
