import { createSlidingWindow } from '../access/sliding-window.ts';
import { createPublicKeyCache, createTokenVerifier } from '../access/tokens.ts';
import { getTableName, readTokenParties } from '../runtime/env.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { createDirectoryTable } from '../tables/directory-table.ts';
import type { TableClient } from '../tables/dynamodb/table-client.ts';
import { createPublicKeyReader } from '../tables/public-keys.ts';
import { createRateCounterTable } from '../tables/rate-counter-table.ts';

const MAX_VALID_KEYS = 10_000;

/** Creates the ports that check the access to a supplier endpoint. */
export function createAccessPorts(client: TableClient) {
  const readPublicKeys = createPublicKeyReader(client, getTableName('DIRECTORY'));
  return {
    verifyToken: createTokenVerifier(createPublicKeyCache(readPublicKeys), readTokenParties()),
    directory: createDirectoryTable(client, getTableName('DIRECTORY')),
    limiter: createSlidingWindow(createRateCounterTable(client, getTableName('RATE_COUNTERS'))),
    validKeys: createLruCache<true>(MAX_VALID_KEYS),
  };
}
