import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { IssuedApiKey, Supplier, User } from '../../domain/directory.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import type { Key } from '../dynamodb/key.ts';
import { itemsOf, PAGE_ITEMS } from '../dynamodb/paged-items.ts';
import { type DirectoryItems, readDirectoryItem, readIssuedApiKey } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';
import { scanTenants } from './scan-tenants.ts';

/** What a tenant has, for administrators; a list may have any length. */
export interface DirectoryLists {
  /** The names of all tenants. */
  readonly tenants: () => Promise<string[]>;
  readonly suppliers: (tenant: string) => Promise<Supplier[]>;
  readonly users: (tenant: string) => Promise<User[]>;
  /** The API keys of all its companies, whatever their status. */
  readonly apiKeys: (tenant: string) => Promise<IssuedApiKey[]>;
}

/** The lists in Directory, strongly consistent. */
export function createDirectoryLists(client: DynamoDBDocumentClient, table: string): DirectoryLists {
  /** The items of a partition whose sort keys begin with this key's. */
  function listFrom<Item>({ pk, sk }: Key): Promise<Item[]> {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :kind)',
        ExpressionAttributeValues: { ':pk': pk, ':kind': sk },
        ConsistentRead: true,
        Limit: PAGE_ITEMS,
      },
    );
    return itemsOf<Item>(pages);
  }

  return {
    async tenants() {
      const names: string[] = [];
      for await (const page of scanTenants(client, table)) names.push(...page.map(({ tenant }) => tenant));
      return names;
    },

    async suppliers(tenant) {
      const items = await listFrom<DirectoryItems['supplier']>(directoryKeys.supplier(tenant, ''));
      return items.map(readDirectoryItem.supplier);
    },

    async users(tenant) {
      const items = await listFrom<DirectoryItems['user']>(directoryKeys.user(tenant, ''));
      return items.map(readDirectoryItem.user);
    },

    async apiKeys(tenant) {
      const pointers = await listFrom<DirectoryItems['listedApiKey']>(directoryKeys.listedApiKey(tenant, ''));
      const keys = pointers.map(({ key_hash: hash }) => directoryKeys.apiKey(hash));
      const items = await batchGet<Key & DirectoryItems['apiKey']>(client, table, keys);
      const found = new Map(items.map((item) => [item.pk, item]));
      return pointers.flatMap(({ key_hash: hash }) => {
        const item = found.get(directoryKeys.apiKey(hash).pk);
        return item ? [readIssuedApiKey(hash, item)] : [];
      });
    },
  };
}
