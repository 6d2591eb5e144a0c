import type { PutCommandInput } from '@aws-sdk/lib-dynamodb';
import type { SigningKeyTables } from '../access/rotate-signing-key.ts';
import type { SigningKey } from '../access/sign-token.ts';
import type { PublicJwk } from '../access/tokens.ts';
import { getItem } from './dynamodb/reads.ts';
import type { TableClient } from './dynamodb/table-client.ts';
import { sendTransaction, type Writes } from './dynamodb/transactions.ts';
import { deleteItem, putItem } from './dynamodb/writes.ts';
import { directoryKeys, SIGNING_KEY } from './keys.ts';
import { readPublicKeys } from './public-keys.ts';

type Condition = Pick<
  PutCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const ABSENCE_CONDITION: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

// The condition that the key pair of a public key is in use. All other public keys have a time to live.
const IN_USE_CONDITION: Condition = {
  ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#ttl)',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
};

/** Builds a condition on the time to live. For a removed key, a comparison is false, so no write restores the key. */
function buildTtlCondition(ConditionExpression: string, moment: Date): Condition {
  return {
    ConditionExpression,
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':moment': toTtl(moment) },
  };
}

interface SigningKeyItem {
  readonly kid: string;
  readonly private_jwk: SigningKey['privateJwk'];
}

/** Creates the function that reads the private signing key in use. The result is null before a key is created. */
export function createSigningKeyReader(client: TableClient, signingKeysTable: string) {
  return async (): Promise<SigningKey | null> => {
    const item = await getItem<SigningKeyItem>(client, signingKeysTable, SIGNING_KEY);
    return item ? { kid: item.kid, privateJwk: item.private_jwk } : null;
  };
}

/** Creates the store of the public keys (table Directory) and of the private key (table SigningKeys). */
export function createSigningKeyTables(
  client: TableClient,
  tables: { directory: string; signingKeys: string },
): SigningKeyTables {
  const buildPrivatePut = ({ kid, privateJwk }: SigningKey) => ({
    TableName: tables.signingKeys,
    Item: { ...SIGNING_KEY, kid, private_jwk: privateJwk },
  });
  const buildPublicPut = (publicKey: PublicJwk, attributes: { ttl: number } | { active_since: string }) => ({
    TableName: tables.directory,
    Item: { ...directoryKeys.publicKey(publicKey.kid), jwk: publicKey, ...attributes },
  });
  const buildEnd = (moment: Date) => ({ ttl: toTtl(moment) });
  const buildStart = (moment: Date) => ({ active_since: moment.toISOString() });
  const writePair = async (TransactItems: Writes): Promise<boolean> =>
    (await sendTransaction(client, { TransactItems })).kind === 'committed';

  return {
    readPublished: () => readPublicKeys(client, tables.directory),

    async publish(publicKey, expiresAt) {
      // If the SDK repeats a write whose response was lost, the condition fails. The key is published in both cases.
      await putItem(client, { ...buildPublicPut(publicKey, buildEnd(expiresAt)), ...ABSENCE_CONDITION });
    },

    activateFirst: ({ publicKey, privateKey }, activeSince) =>
      writePair([
        { Put: { ...buildPrivatePut(privateKey), ...ABSENCE_CONDITION } },
        { Put: { ...buildPublicPut(publicKey, buildStart(activeSince)), ...ABSENCE_CONDITION } },
      ]),

    replace: ({ publicKey, privateKey, publishedUntil, activeSince, oldKeys, oldKeysExpireAt }) => {
      // The new key must still have the expiry of this rotation. A rotation after a leak would have changed the expiry.
      const pendingCondition = buildTtlCondition('#ttl = :moment', publishedUntil);
      return writePair([
        { Put: buildPrivatePut(privateKey) },
        { Put: { ...buildPublicPut(publicKey, buildStart(activeSince)), ...pendingCondition } },
        ...oldKeys.map((key) => ({ Put: { ...buildPublicPut(key, buildEnd(oldKeysExpireAt)), ...IN_USE_CONDITION } })),
      ]);
    },

    async setEarlierEnd(publicKey, expiresAt) {
      const laterCondition = buildTtlCondition('#ttl > :moment', expiresAt);
      await putItem(client, { ...buildPublicPut(publicKey, buildEnd(expiresAt)), ...laterCondition });
    },

    async removeExpired(publicKey, now) {
      const Key = directoryKeys.publicKey(publicKey.kid);
      const condition = buildTtlCondition('attribute_not_exists(pk) OR #ttl <= :moment', now);
      await deleteItem(client, { TableName: tables.directory, Key, ...condition });
    },
  };
}

/** Converts a time to Unix seconds. The result is rounded down, so that a key that expires now is invalid at once. */
function toTtl(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
