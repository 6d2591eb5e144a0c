import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedPublicKeys } from '../auth/key-cache.ts';
import type { AccessPorts } from '../http/authorize.ts';
import type { SupplierPorts } from '../http/supplier-endpoint.ts';
import { createSlidingWindow } from '../rate-limit/sliding-window.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { tableName, tokenParties } from '../runtime/env.ts';
import { createDirectoryTable } from '../storage/directory-table.ts';
import { createRateCounterTable } from '../storage/rate-counter-table.ts';
import { createPublicKeyReader } from '../storage/signing-key-tables.ts';
import { serviceClient } from './service-client.ts';

/** The access rules and the rate limit, over the tables named in the environment. */
export function accessPorts(client: DynamoDBDocumentClient): AccessPorts & { readonly clock: Clock } {
  // One attempt at a time: without its counter the request goes on, so it does not wait for long.
  const counters = createRateCounterTable(serviceClient({ maxAttempts: 1 }), tableName('RATE_COUNTERS'));
  return {
    readSnapshot: createDirectoryTable(client, tableName('DIRECTORY')).readSnapshot,
    countRequest: createSlidingWindow(counters).count,
    clock: systemClock,
  };
}

/** The checks of every supplier endpoint: the same, and the token's. */
export function supplierPorts(client: DynamoDBDocumentClient): SupplierPorts {
  const readPublicKeys = createPublicKeyReader(client, tableName('DIRECTORY'), systemClock);
  return {
    ...accessPorts(client),
    publicKeys: cachedPublicKeys(readPublicKeys, systemClock),
    parties: tokenParties(),
  };
}
