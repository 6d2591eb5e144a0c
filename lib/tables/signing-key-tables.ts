import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { PublicJwk, SigningKey } from '../access/tokens.ts';
import { collectPages } from '../runtime/pages.ts';
import type { PairWrite, PublishedKey, SigningKeyTables } from '../access/rotate-signing-key.ts';
import { awaitConditionalWrite, sendTransaction } from './dynamodb/writes.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { buildPartitionCondition, queryPages } from './dynamodb/reads.ts';
import { directoryKeys, JWKS_PARTITION, SIGNING_KEY } from './keys.ts';

/** Creates the reader of the public keys in Directory that have not expired. */
export function createPublicKeyReader(client: DynamoDBDocumentClient, directoryTable: string, clock: { now(): Date }) {
  return async (): Promise<PublicJwk[]> => {
    const keys = await readPublicKeys(client, directoryTable);
    // DynamoDB removes expired items with a delay.
    const valid = keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
    return valid.map(({ publicKey }) => publicKey);
  };
}

/** Creates the reader of the private signing key in use, from SigningKeys; null before there is a key. */
export function createSigningKeyReader(client: DynamoDBDocumentClient, signingKeysTable: string) {
  return async (): Promise<SigningKey | null> => {
    const { Item } = await client.send(
      new GetCommand({ TableName: signingKeysTable, Key: SIGNING_KEY, ConsistentRead: true }),
    );
    return Item ? { kid: Item['kid'] as string, privateJwk: Item['private_jwk'] as SigningKey['privateJwk'] } : null;
  };
}

/** Creates the store of the public keys in Directory and the private key in SigningKeys. */
export function createSigningKeyTables(
  client: DynamoDBDocumentClient,
  tables: { directory: string; signingKeys: string },
): SigningKeyTables {
  const putPrivate = ({ kid, privateJwk }: SigningKey, condition?: Condition) => ({
    Put: { TableName: tables.signingKeys, Item: { ...SIGNING_KEY, kid, private_jwk: privateJwk }, ...condition },
  });
  const putPublic = (publicKey: PublicJwk, condition: Condition, expiresAt?: Date) => ({
    TableName: tables.directory,
    Item: { ...directoryKeys.publicKey(publicKey.kid), jwk: publicKey, ...(expiresAt && { ttl: toTtl(expiresAt) }) },
    ...condition,
  });
  const put = (input: PutCommandInput) => awaitConditionalWrite(client.send(new PutCommand(input)));
  const write = async (TransactItems: TransactWriteCommandInput['TransactItems']): Promise<PairWrite> => {
    const { kind } = await sendTransaction(client, { TransactItems });
    return { kind: kind === 'committed' ? 'written' : 'refused' };
  };

  return {
    published: () => readPublicKeys(client, tables.directory),

    async publish(publicKey, expiresAt) {
      // The item exists if the response to an earlier attempt was lost.
      await put(putPublic(publicKey, ifAbsent, expiresAt));
    },

    useFirst: ({ publicKey, privateKey }) =>
      write([putPrivate(privateKey, ifAbsent), { Put: putPublic(publicKey, ifAbsent) }]),

    replace: ({ publicKey, privateKey, publishedUntil, old, oldExpireAt }) =>
      write([
        putPrivate(privateKey),
        { Put: putPublic(publicKey, ifTtl('#ttl = :moment', publishedUntil)) },
        ...old.map((key) => ({ Put: putPublic(key, ifTtl(IN_USE), oldExpireAt) })),
      ]),

    async end(publicKey, expiresAt) {
      await put(putPublic(publicKey, ifTtl('#ttl > :moment', expiresAt), expiresAt));
    },

    async removeExpired(publicKey, now) {
      const Key = directoryKeys.publicKey(publicKey.kid);
      const expired = ifTtl('attribute_not_exists(pk) OR #ttl <= :moment', now);
      await client.send(new DeleteCommand({ TableName: tables.directory, Key, ...expired }));
    },
  };
}

type Condition = Pick<
  PutCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const IN_USE = 'attribute_exists(pk) AND attribute_not_exists(#ttl)';
const ifAbsent: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

// A comparison fails for an absent item, so that no removed key is restored.
const ifTtl = (ConditionExpression: string, moment?: Date): Condition => ({
  ConditionExpression,
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ...(moment && { ExpressionAttributeValues: { ':moment': toTtl(moment) } }),
});

/** Converts a time to Unix seconds, rounded down, so that a key that expires now is invalid at once. */
function toTtl(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

async function readPublicKeys(client: DynamoDBDocumentClient, TableName: string): Promise<PublishedKey[]> {
  const query = { TableName, ...buildPartitionCondition(JWKS_PARTITION) };
  const items = await collectPages(queryPages<{ jwk: PublicJwk; ttl?: StoredNumber }>(client, query));
  return items.map(({ jwk, ttl }) => ({ publicKey: jwk, expiresAt: ttl ? new Date(toInteger(ttl) * 1000) : null }));
}
