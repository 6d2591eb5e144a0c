import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedPublicKeys } from '../auth/key-cache.ts';
import type { SupplierPorts } from '../http/supplier-endpoint.ts';
import { createSlidingWindow } from '../rate-limit/sliding-window.ts';
import { systemClock } from '../runtime/clock.ts';
import { tableName, tokenParties } from '../runtime/env.ts';
import { createDirectoryTable } from '../storage/directory-table.ts';
import { createDocumentClient } from '../storage/document-client.ts';
import { createRateCounterTable } from '../storage/rate-counter-table.ts';
import { createPublicKeyReader } from '../storage/signing-key-tables.ts';

/** The access checks of every supplier endpoint, over the tables named in the environment. */
export function supplierPorts(client: DynamoDBDocumentClient): SupplierPorts {
  const directory = tableName('DIRECTORY');
  // One attempt: a retry of a write whose answer was lost would count the request twice.
  const counters = createRateCounterTable(createDocumentClient({ maxAttempts: 1 }), tableName('RATE_COUNTERS'));
  return {
    readSnapshot: createDirectoryTable(client, directory).readSnapshot,
    countRequest: createSlidingWindow(counters).count,
    publicKeys: cachedPublicKeys(createPublicKeyReader(client, directory, systemClock), systemClock),
    parties: tokenParties(),
    clock: systemClock,
  };
}
