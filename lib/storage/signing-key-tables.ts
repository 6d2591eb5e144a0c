import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { PublicJwk } from '../auth/key-cache.ts';
import type { SigningKey } from '../auth/tokens.ts';
import { directoryKeys, JWKS_PARTITION, SIGNING_KEY } from './keys.ts';
import { type StoredNumber, toInteger } from './numbers.ts';

interface PublicKeyItem {
  readonly jwk: PublicJwk;
  readonly ttl?: StoredNumber;
}

/** Reads the public keys that are not past their end, from Directory. */
export function createPublicKeyReader(client: DynamoDBDocumentClient, directoryTable: string, clock: { now(): Date }) {
  return async (): Promise<PublicJwk[]> => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: directoryTable,
        KeyConditionExpression: 'pk = :jwks',
        ExpressionAttributeValues: { ':jwks': JWKS_PARTITION },
        ConsistentRead: true,
        Limit: 100,
      }),
    );
    // The table removes expired items only some time after they have expired.
    return (Items as PublicKeyItem[])
      .filter(({ ttl }) => ttl === undefined || toInteger(ttl) * 1000 > clock.now().getTime())
      .map(({ jwk }) => jwk);
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

/** Publishes a public key; with `expiresAt`, for the verification of the last tokens signed with it. */
export function createPublicKeyWriter(client: DynamoDBDocumentClient, directoryTable: string) {
  return async (jwk: PublicJwk, expiresAt: Date | null): Promise<void> => {
    const ttl = expiresAt && Math.ceil(expiresAt.getTime() / 1000);
    await client.send(
      new PutCommand({
        TableName: directoryTable,
        Item: { ...directoryKeys.publicKey(jwk.kid), jwk, ...(ttl && { ttl }) },
      }),
    );
  };
}

/** Puts a private signing key into use. */
export function createSigningKeyWriter(client: DynamoDBDocumentClient, signingKeysTable: string) {
  return async ({ kid, privateJwk }: SigningKey): Promise<void> => {
    await client.send(
      new PutCommand({ TableName: signingKeysTable, Item: { ...SIGNING_KEY, kid, private_jwk: privateJwk } }),
    );
  };
}
