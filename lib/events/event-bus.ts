import { EventBridgeClient, type EventBridgeClientConfig, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../contracts/events.ts';
import { currentDeadline } from '../runtime/request-scope.ts';
import { SigningHash } from '../tables/dynamodb/sdk-tuning.ts';
import type { PutEvents } from './publish-records.ts';

/** Puts events onto the EventBridge bus of this name, in one attempt that ends by the deadline. */
export function createEventBus(name: string, settings: EventBridgeClientConfig = {}): PutEvents {
  const client = new EventBridgeClient({
    maxAttempts: 1,
    sha256: SigningHash,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    ...settings,
  });
  return async (entries) => {
    const command = new PutEventsCommand({
      Entries: entries.map(({ type, time, detail }) => ({
        EventBusName: name,
        Source: EVENT_SOURCE,
        DetailType: type,
        Time: new Date(time),
        Detail: detail,
      })),
    });
    const abortSignal = currentDeadline()?.signal;
    const { Entries: results = [] } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return entries.map((_, index) => {
      const { EventId: id, ErrorCode: code = 'NoAnswer' } = results[index] ?? {};
      return id === undefined ? code : null;
    });
  };
}
