import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type AccessSnapshot,
  type Entity,
  type LoginAccount,
  toEntity,
  type User,
  type UserReference,
} from '../domain/directory.ts';
import { attempts } from '../runtime/attempts.ts';
import { batchGet, createKeyLookup, type Key } from './dynamodb/reads.ts';
import { awaitConditionalWrite } from './dynamodb/writes.ts';
import { toDecimals } from './dynamodb/values.ts';
import { directoryKeys } from './keys.ts';

/** Creates the repository of Directory. Its reads are strongly consistent; nothing is cached between requests. */
export function createDirectoryTable(client: DynamoDBDocumentClient, table: string) {
  const readItems = async (keys: readonly Key[]) => createKeyLookup(await batchGet<Key>(client, table, keys));

  return {
    /** Reads all records that decide about a request, with one read, or two if the reference is out of date. */
    async readSnapshot(reference: UserReference, apiKeyHash: string | null): Promise<AccessSnapshot> {
      const { tenant, userId } = reference;
      const companyKey = (id: string) => directoryKeys.company(tenant, id);
      const supplierKey = (id: string) => directoryKeys.supplier(tenant, id);
      const tenantKey = directoryKeys.tenant(tenant);
      const userKey = directoryKeys.user(tenant, userId);
      const apiKeyKey = apiKeyHash === null ? null : directoryKeys.apiKey(apiKeyHash);
      const expected = [
        tenantKey,
        userKey,
        companyKey(reference.companyId),
        ...(reference.supplierId ? [supplierKey(reference.supplierId)] : []),
        ...(apiKeyKey ? [apiKeyKey] : []),
      ];
      const item = await readItems(expected);
      const user = toRecord('user', item(userKey));
      const apiKey = apiKeyKey && toRecord('api_key', item(apiKeyKey));

      const actual = {
        userCompany: user && companyKey(user.companyId),
        keyCompany: apiKey && apiKey.tenant === tenant ? companyKey(apiKey.companyId) : null,
        supplier: user?.supplierId ? supplierKey(user.supplierId) : null,
      };
      const missing = new Map(Object.values(actual).flatMap((key) => (key ? [[key.sk, key]] : [])));
      for (const { sk } of expected) missing.delete(sk);
      const additionalItem = missing.size > 0 ? await readItems([...missing.values()]) : item;
      const findItem = (key: Key | null) => (key ? (item(key) ?? additionalItem(key)) : undefined);
      const userCompany = toRecord('company', findItem(actual.userCompany));
      const supplier = toRecord('supplier', findItem(actual.supplier));
      // A supplier usually belongs to its user's company; otherwise its own company needs one more read.
      const otherKey = supplier && supplier.companyId !== user?.companyId ? companyKey(supplier.companyId) : null;
      return {
        tenant: toRecord('tenant', item(tenantKey)),
        user,
        apiKey,
        userCompany,
        keyCompany: toRecord('company', findItem(actual.keyCompany)),
        supplier,
        supplierCompany: otherKey
          ? toRecord('company', (await readItems([otherKey]))(otherKey))
          : supplier && userCompany,
      };
    },

    /** Finds the API key with this hash, or null. */
    async findApiKey(hash: string) {
      const key = directoryKeys.apiKey(hash);
      return toRecord('api_key', (await readItems([key]))(key));
    },

    /** Finds the account of an e-mail or username. */
    async findLogin(tenant: string, loginName: string): Promise<LoginAccount> {
      const key = directoryKeys.login(tenant, loginName);
      const login = toRecord('login', (await readItems([key]))(key));
      return { tenant, loginName, user: login && { tenant, ...login } };
    },

    /** Adds a push-notification player id to the user, and keeps only the latest `most`. */
    async addPlayerId(tenant: string, user: User, playerId: string, most: number) {
      let { playerIds } = user;
      for await (const _ of attempts()) {
        if (playerIds.includes(playerId)) return;
        const command = new UpdateCommand({
          TableName: table,
          Key: directoryKeys.user(tenant, user.userId),
          UpdateExpression: 'SET player_ids = :after',
          ConditionExpression:
            playerIds.length > 0 ? 'player_ids = :before' : 'attribute_exists(pk) AND attribute_not_exists(player_ids)',
          ExpressionAttributeValues: {
            ':after': [...playerIds, playerId].slice(-most),
            ...(playerIds.length > 0 && { ':before': playerIds }),
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
        const { kind, current } = await awaitConditionalWrite(client.send(command));
        if (kind === 'written') return;
        const changed = toRecord('user', current);
        if (!changed) return;
        playerIds = changed.playerIds;
      }
      throw new Error('The player ids of the user kept changing.');
    },
  };
}

function toRecord<Kind extends keyof typeof toEntity>(kind: Kind, item: object | undefined): Entity<Kind> | null {
  const convert: (record: never) => object = toEntity[kind];
  return item ? (convert(toDecimals(item) as never) as Entity<Kind>) : null;
}
