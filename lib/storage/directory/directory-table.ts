import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccessSnapshot, ApiKey, ClaimedAccount, User, UserReference } from '../../domain/directory.ts';
import { attempts } from '../../runtime/attempts.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { conditionalWrite } from '../dynamodb/conditional-write.ts';
import { byKey, type Key } from '../dynamodb/key.ts';
import { type DirectoryItems, readDirectoryItem } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';
import type { DirectoryItem } from './directory-writer.ts';

/** Who exists: strongly consistent reads, nothing kept between requests. */
export interface DirectoryTable {
  /** Everything that decides on a request, in one read; a second one only where the reference is out of date. */
  readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  /** The API key with this hash, or null. */
  readonly findApiKey: (hash: string) => Promise<ApiKey | null>;
  /** The account of an e-mail or username. */
  readonly findLogin: (tenant: string, loginName: string) => Promise<ClaimedAccount>;
  /** Adds a push-notification player id to the user's, keeping the latest `most`. */
  readonly addPlayerId: (tenant: string, user: User, playerId: string, most: number) => Promise<void>;
}

/** The repository of Directory. */
export function createDirectoryTable(client: DynamoDBDocumentClient, table: string): DirectoryTable {
  const readItems = async (keys: readonly Key[]) => byKey(await batchGet<DirectoryItem>(client, table, keys));

  return {
    async readSnapshot(reference, apiKeyHash) {
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
      const user = read('user', item(userKey));
      const apiKey = apiKeyKey && read('apiKey', item(apiKeyKey));

      const actual = {
        userCompany: user && companyKey(user.companyId),
        keyCompany: apiKey && apiKey.tenant === tenant ? companyKey(apiKey.companyId) : null,
        supplier: user?.supplierId ? supplierKey(user.supplierId) : null,
      };
      const missing = new Map(Object.values(actual).flatMap((key) => (key ? [[key.sk, key]] : [])));
      for (const { sk } of expected) missing.delete(sk);
      const late = missing.size > 0 ? await readItems([...missing.values()]) : item;
      const at = (key: Key | null) => (key ? (item(key) ?? late(key)) : undefined);
      const userCompany = read('company', at(actual.userCompany));
      const supplier = read('supplier', at(actual.supplier));
      // A supplier belongs to its user's company; where it does not, its own company costs one read more.
      const otherKey = supplier && supplier.companyId !== user?.companyId ? companyKey(supplier.companyId) : null;
      return {
        tenant: read('tenant', item(tenantKey)),
        user,
        apiKey,
        userCompany,
        keyCompany: read('company', at(actual.keyCompany)),
        supplier,
        supplierCompany: otherKey ? read('company', (await readItems([otherKey]))(otherKey)) : supplier && userCompany,
      };
    },

    async findApiKey(hash) {
      const key = directoryKeys.apiKey(hash);
      return read('apiKey', (await readItems([key]))(key));
    },

    async findLogin(tenant, loginName) {
      const key = directoryKeys.login(tenant, loginName);
      return toAccount(tenant, loginName, (await readItems([key]))(key) as DirectoryItems['login'] | undefined);
    },

    async addPlayerId(tenant, user, playerId, most) {
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
        const { kind, current } = await conditionalWrite(client.send(command));
        if (kind === 'written') return;
        const changed = read('user', current);
        if (!changed) return;
        playerIds = changed.playerIds;
      }
      throw new Error('The player ids of the user kept changing.');
    },
  };
}

function toAccount(tenant: string, loginName: string, login: DirectoryItems['login'] | undefined): ClaimedAccount {
  const user = login && {
    tenant,
    userId: login.user_id,
    companyId: login.company_id,
    supplierId: login.supplier_id ?? null,
  };
  return { tenant, loginName, user: user ?? null };
}

type Readers = typeof readDirectoryItem;

function read<Kind extends keyof Readers>(kind: Kind, item: object | undefined): ReturnType<Readers[Kind]> | null {
  const reader = readDirectoryItem[kind] as (stored: object) => ReturnType<Readers[Kind]>;
  return item ? reader(item) : null;
}
