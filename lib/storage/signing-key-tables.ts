import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { PublicJwk } from '../auth/key-cache.ts';
import type { SigningKey } from '../auth/tokens.ts';
import type { PublishedKey } from '../usecases/rotate-signing-key.ts';
import { directoryKeys, JWKS_PARTITION, SIGNING_KEY } from './keys.ts';
import { type StoredNumber, toInteger } from './numbers.ts';

/** Reads the public keys that have not expired, from Directory. */
export function createPublicKeyReader(client: DynamoDBDocumentClient, directoryTable: string, clock: { now(): Date }) {
  return async (): Promise<PublishedKey<PublicJwk>[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: directoryTable,
        KeyConditionExpression: 'pk = :jwks',
        ExpressionAttributeValues: { ':jwks': JWKS_PARTITION },
        ConsistentRead: true,
        Limit: 100,
      }),
    );
    const keys = (Items as { jwk: PublicJwk; ttl?: StoredNumber }[]).map(({ jwk, ttl }) => ({
      publicKey: jwk,
      expiresAt: ttl ? new Date(toInteger(ttl) * 1000) : null,
    }));
    // The table removes expired items only some time after they have expired.
    return keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
  };
}

/** Publishes a public key, or ends it earlier than it would; one that ends by then is left as it is. */
export function createPublicKeyWriter(client: DynamoDBDocumentClient, directoryTable: string) {
  return async ({ publicKey, expiresAt }: PublishedKey<PublicJwk>): Promise<void> => {
    // Rounded down, so that a key that expires now is out at once.
    const ttl = expiresAt && Math.floor(expiresAt.getTime() / 1000);
    const item = { ...directoryKeys.publicKey(publicKey.kid), jwk: publicKey, ...(ttl && { ttl }) };
    try {
      await client.send(new PutCommand({ TableName: directoryTable, Item: item, ...(ttl && onlyEarlier(ttl)) }));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };
}

/** A key that is withdrawn, or ends sooner, stays so: another rotation may have read it before. */
function onlyEarlier(ttl: number) {
  return {
    ConditionExpression: 'attribute_not_exists(#ttl) OR #ttl > :ttl',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': ttl },
  };
}

/** Reads the private signing key in use, from SigningKeys; null before the first one was made. */
export function createSigningKeyReader(client: DynamoDBDocumentClient, signingKeysTable: string) {
  return async (): Promise<SigningKey | null> => {
    const { Item } = await client.send(
      new GetCommand({ TableName: signingKeysTable, Key: SIGNING_KEY, ConsistentRead: true }),
    );
    return Item ? { kid: Item['kid'] as string, privateJwk: Item['private_jwk'] as SigningKey['privateJwk'] } : null;
  };
}

/** Puts a private signing key into use; unless `replace`, only when there is none. Says whether it is in use now. */
export function createSigningKeyWriter(client: DynamoDBDocumentClient, signingKeysTable: string) {
  return async ({ kid, privateJwk }: SigningKey, { replace }: { replace: boolean }): Promise<boolean> => {
    try {
      await client.send(
        new PutCommand({
          TableName: signingKeysTable,
          Item: { ...SIGNING_KEY, kid, private_jwk: privateJwk },
          // The same key is there when the answer to an earlier attempt was lost.
          ...(!replace && {
            ConditionExpression: 'attribute_not_exists(pk) OR kid = :kid',
            ExpressionAttributeValues: { ':kid': kid },
          }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };
}
