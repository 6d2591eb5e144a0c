import { publishEventsPorts } from '../lib/composition/handler-ports.ts';
import type { StreamRecord } from '../lib/events/history-records.ts';
import { publishRecords } from '../lib/events/publish-records.ts';
import { withinDeadline } from '../lib/runtime/deadline.ts';
import { Logger } from '../lib/runtime/logger.ts';

const { putEvents } = publishEventsPorts();
const logger = new Logger();

/** What Lambda tells of an invocation. */
interface InvocationContext {
  getRemainingTimeInMillis(): number;
}

/** Publishes what the histories have gained; names the record from which Lambda has to begin anew, if there is one. */
export async function handler({ Records: records }: { Records: readonly StreamRecord[] }, context: InvocationContext) {
  const failure = await withinDeadline(
    () => context.getRemainingTimeInMillis(),
    () =>
      publishRecords(putEvents, records, ({ type, detail }) =>
        logger.info('event', { event_type: type, event_id: detail.event_id }),
      ),
  );
  if (failure === null) return { batchItemFailures: [] };
  const itemIdentifier = failure.record.dynamodb?.SequenceNumber;
  logger.error('event not published', { sequence_number: itemIdentifier, error: failure.error });
  return { batchItemFailures: [{ itemIdentifier }] };
}
