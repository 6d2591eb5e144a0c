import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { buildEvents } from '../../../lib/contracts/events.ts';
import { publishRecords } from '../../../lib/events/publish-records.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, formatCount, readRange, runCommand, stopSignal, zoneOption } from '../command.ts';
import { readTenant } from '../directory/read-directory.ts';
import { describeFailure, EXIT } from '../operator-errors.ts';

export const republishEventsCommand = defineCommand('republish-events', {
  summary: 'Publish the events of a time again, with their original ids, in the order of time.',
  example: 'republish-events demo.example --since 2026-08-01 --zone -03:00 --local',
})
  .argument('<tenant>', 'tenant of the events')
  .requiredOption('--since <time>', 'only events of this time or later')
  .option('--until <time>', 'only events of this time or earlier; a date without a time includes the whole day')
  .addOption(zoneOption)
  .addOption(dryRunOption)
  .action((tenant, { since, until, zone, ...options }) =>
    runCommand(options, async ({ ports, openEventBus, output, host, dryRun }) => {
      const range = readRange(['--since', since], ['--until', until], zone);
      const putEvents = await openEventBus();
      await readTenant(ports, tenant);
      const stop = stopSignal(host);
      const endMs = Math.min(range.endMs + 1, systemClock.now().getTime());
      let published = 0;
      let continueAt: string | null = null;
      let error: string | null = null;
      for await (const page of ports.histories.readBetween(tenant, range.startMs, endMs)) {
        continueAt = page[0]?.changedAt ?? continueAt;
        if (stop.aborted) break;
        const failure = await publishRecords<RecordedChange>(page, {
          putEvents,
          toEvents: buildEvents,
          onPublished: () => void (published += 1),
          // The history table has converted the changes, so that each of them has events.
          onSkipped: () => undefined,
        });
        if (failure) {
          error = describeFailure(failure.error).join(' ');
          break;
        }
        continueAt = null;
      }
      output.line(`${dryRun ? 'To publish' : 'Published'}: ${formatCount(published, 'event')}`);
      if (error !== null) output.error(`failed  ${error}`);
      if (continueAt !== null) output.error(`To continue, run the command again with --since ${continueAt}.`);
      output.document({ tenant, published, continue_since: continueAt, ...(error !== null && { error }) });
      if (error !== null) return EXIT.failed;
      return continueAt === null ? EXIT.done : EXIT.interrupted;
    }),
  );
