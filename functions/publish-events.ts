import { createEventBus, type Failure, publishRecords, type StreamRecord } from '../lib/events/publish-records.ts';
import { systemClock } from '../lib/runtime/clock.ts';
import { requireVariable } from '../lib/runtime/env.ts';
import { runWithinDeadline } from '../lib/runtime/request-scope.ts';
import { buildEmbeddedMetrics, Logger } from '../lib/runtime/logger.ts';

const putEvents = createEventBus(requireVariable('EVENT_BUS_NAME'));
const logger = new Logger();

/**
 * Publishes an event for each new entry of the histories, and skips entries that cannot be read. Returns the record
 * from which Lambda must retry, or no record if all events were published.
 */
export async function handler(
  { Records: records }: { Records: readonly StreamRecord[] },
  context: { getRemainingTimeInMillis(): number },
) {
  const failure = await runWithinDeadline(
    () => context.getRemainingTimeInMillis(),
    () =>
      publishRecords(records, {
        putEvents,
        onPublished: ({ type, detail }) => logger.info('event', { event_type: type, event_id: detail.event_id }),
        onSkipped(failedRecord) {
          const metrics = buildEmbeddedMetrics({ EventsSkipped: 1 }, systemClock.now());
          logger.error('event skipped', { ...describeFailure(failedRecord), ...metrics });
        },
      }),
  );
  if (failure === null) return { batchItemFailures: [] };
  logger.error('event not published', describeFailure(failure));
  return { batchItemFailures: [{ itemIdentifier: failure.record.dynamodb?.SequenceNumber }] };
}

/** Returns the fields of the log line. The keys contain tenant, supplier and invoice; the content is not logged. */
function describeFailure({ record: { dynamodb }, error }: Failure) {
  return { sequence_number: dynamodb?.SequenceNumber, keys: dynamodb?.Keys, error };
}
