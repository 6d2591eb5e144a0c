import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { signToken } from '../auth/tokens.ts';
import type { UserReference } from '../domain/directory.ts';
import { whileVerifying } from '../domain/errors.ts';
import { tableName, tokenParties } from '../runtime/env.ts';
import { newUuid } from '../runtime/ids.ts';
import { createSigningKeyReader } from '../storage/access/signing-key-tables.ts';

/**
 * Signs tokens with the key that is in use now, read from the table named in the environment; SERVICE_UNAVAILABLE when
 * it cannot be read.
 */
export function tokenSigner(client: DynamoDBDocumentClient): (user: UserReference, now: Date) => Promise<string> {
  const readSigningKey = createSigningKeyReader(client, tableName('SIGNING_KEYS'));
  const parties = tokenParties();
  return async (user, now) => {
    // Never kept: after a leak, what the old key signs is refused.
    const key = await whileVerifying(readSigningKey());
    if (!key) throw new Error('No signing key has been made yet.');
    return signToken(user, key, parties, { now, tokenId: newUuid() });
  };
}
