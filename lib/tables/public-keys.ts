import type { PublishedKey } from '../access/rotate-signing-key.ts';
import type { PublicJwk } from '../access/tokens.ts';
import { systemClock } from '../runtime/clock.ts';
import { collectPages } from '../runtime/pages.ts';
import { buildPartitionCondition, queryPages } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { JWKS_PARTITION } from './keys.ts';

/** Creates the function that reads the public keys in the table Directory, except expired keys. */
export function createPublicKeyReader(client: TableClient, directoryTable: string) {
  return async (): Promise<PublicJwk[]> => {
    const publishedKeys = await readPublicKeys(client, directoryTable);
    // DynamoDB deletes expired items with a delay.
    const validKeys = publishedKeys.filter(({ expiresAt }) => expiresAt === null || expiresAt > systemClock.now());
    return validKeys.map(({ publicKey }) => publicKey);
  };
}

interface PublicKeyItem {
  readonly jwk: PublicJwk;
  readonly ttl?: StoredNumber;
  readonly active_since?: string;
}

/** Reads all public keys in the table Directory. The key in use has no expiry. */
export async function readPublicKeys(client: TableClient, TableName: string): Promise<PublishedKey[]> {
  const query = { TableName, ...buildPartitionCondition(JWKS_PARTITION) };
  const items = await collectPages(queryPages<PublicKeyItem>(client, query));
  return items.map(({ jwk, ttl, active_since: activeSince }) => ({
    publicKey: jwk,
    expiresAt: ttl ? new Date(toInteger(ttl) * 1000) : null,
    activeSince: activeSince === undefined ? null : new Date(activeSince),
  }));
}
