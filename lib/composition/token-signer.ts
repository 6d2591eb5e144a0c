import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { cachedSigningKey } from '../auth/key-cache.ts';
import { signToken } from '../auth/tokens.ts';
import type { UserReference } from '../domain/directory.ts';
import { systemClock } from '../runtime/clock.ts';
import { tableName, tokenParties } from '../runtime/env.ts';
import { newUuid } from '../runtime/ids.ts';
import { createSigningKeyReader } from '../storage/access/signing-key-tables.ts';

/** Signs tokens with the key in use, which it reads from the table named in the environment. */
export function tokenSigner(client: DynamoDBDocumentClient): (user: UserReference, now: Date) => Promise<string> {
  const signingKey = cachedSigningKey(createSigningKeyReader(client, tableName('SIGNING_KEYS')), systemClock);
  const parties = tokenParties();
  return async (user, now) => signToken(user, await signingKey(), parties, { now, tokenId: newUuid() });
}
