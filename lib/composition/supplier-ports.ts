import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedPublicKeys } from '../auth/key-cache.ts';
import type { SupplierPorts } from '../http/supplier-pipeline.ts';
import { systemClock } from '../runtime/clock.ts';
import { tableName, tokenParties } from '../runtime/env.ts';
import { createPublicKeyReader } from '../storage/access/signing-key-tables.ts';
import { directory } from './directory.ts';
import { requestLimiter } from './request-limiter.ts';

/** What every supplier endpoint checks a request with. */
export function supplierPorts(client: DynamoDBDocumentClient): SupplierPorts {
  const readPublicKeys = createPublicKeyReader(client, tableName('DIRECTORY'), systemClock);
  return {
    tokens: { publicKeys: cachedPublicKeys(readPublicKeys, systemClock), parties: tokenParties() },
    access: { directory: directory(client), limiter: requestLimiter(client) },
    clock: systemClock,
  };
}
