import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DatabaseCall } from '../../runtime/usage.ts';

/**
 * Calls `record` for every attempt at a call, with the capacity that DynamoDB reports. A failed attempt reports none.
 */
export function meterCalls({ middlewareStack }: DynamoDBClient, record: (call: DatabaseCall) => void): void {
  middlewareStack.add(
    (next) => (args) => next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } }),
    { step: 'initialize', name: 'askForCapacity' },
  );
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const startMs = performance.now();
        let units = 0;
        try {
          const result = await next(args);
          units = unitsOf(result.output as Charged);
          return result;
        } finally {
          const [readUnits, writeUnits] = READS.test(commandName) ? [units, 0] : [0, units];
          record({ startMs, endMs: performance.now(), readUnits, writeUnits });
        }
      },
    // Inside the retries: each attempt is a call.
    { step: 'finalizeRequest', name: 'meterCall', priority: 'low' },
  );
}

const READS = /Get|Query|Scan/;

interface Charged {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
}

function unitsOf({ ConsumedCapacity: charged = [] }: Charged): number {
  return [charged].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
