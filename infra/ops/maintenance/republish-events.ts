import { buildEvents } from '../../../lib/contracts/events.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { publishRecords, type PutEvents } from '../../../lib/events/publish-records.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import {
  defineCommand,
  dryRunOption,
  formatCount,
  readRange,
  runCommand,
  type Session,
  stopSignal,
  zoneOption,
} from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { describeFailure, EXIT, type ExitCode } from '../operator-errors.ts';

const command = defineCommand('republish-events', {
  summary: 'Publish the events of a time again, with their original ids, in the order of time.',
  example: 'republish-events demo.example --since 2026-08-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the events')
  .requiredOption('--since <time>', 'only events of this time or later')
  .option('--until <time>', 'only events of this time or earlier; a date without a time includes the whole day')
  .addOption(zoneOption)
  .addOption(dryRunOption);

type Options = ReturnType<typeof command.opts>;

export const republishEventsCommand = command.action((tenant, options) =>
  runCommand(options, (session) => republishEvents(session, tenant, options)),
);

async function republishEvents(session: Session, tenant: string, options: Options): Promise<ExitCode> {
  const { ports, openEventBus, output, host, dryRun } = session;
  const { startMs, endMs } = readRange(['--since', options.since], ['--until', options.until], options.zone);
  const putEvents = await openEventBus();
  await readTenant(ports, tenant);
  const stop = stopSignal(host);
  const changes = ports.histories.readBetween(tenant, startMs, Math.min(endMs + 1, systemClock.now().getTime()));
  const { published, continueAt, error } = await publishChanges(changes, putEvents, stop);

  output.line(`${dryRun ? 'To publish' : 'Published'}: ${formatCount(published, 'event')}`);
  if (error !== null) output.error(`failed  ${error}`);
  if (continueAt !== null) output.error(`To continue, run the command again with --since ${continueAt}.`);
  output.document({ tenant, published, continue_since: continueAt, ...(error !== null && { error }) });
  if (error !== null) return EXIT.failed;
  return continueAt === null ? EXIT.done : EXIT.interrupted;
}

/** Publishes until a failure or an interruption. `continueAt` is the first time whose events may be unpublished. */
async function publishChanges(
  pages: AsyncIterable<readonly RecordedChange[]>,
  putEvents: PutEvents,
  stop: AbortSignal,
): Promise<{ published: number; continueAt: string | null; error: string | null }> {
  let published = 0;
  for await (const page of pages) {
    const [first] = page;
    if (!first) continue;
    if (stop.aborted) return { published, continueAt: first.changedAt, error: null };
    const failure = await publishRecords<RecordedChange>(page, {
      putEvents,
      toEvents: buildEvents,
      onPublished() {
        published += 1;
      },
      // The history table has converted the changes, so that each of them has events.
      onSkipped: () => undefined,
    });
    if (failure) {
      return { published, continueAt: first.changedAt, error: describeFailure(failure.error).join(' ') };
    }
  }
  return { published, continueAt: null, error: null };
}
